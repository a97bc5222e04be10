import {
  ask,
  type Case,
  del,
  get,
  type JsonObject,
  type Kept,
  post,
  put,
  remade,
  type Step,
} from '../case.ts';

const accept = (value: string) => ({ headers: { accept: value } });
const as = (kind: string) => accept(`application/json;as=${kind};v=v1;g=meta.k8s.io`);

/** The forms of an answer beside JSON. */
export const forms = {
  yaml: accept('application/yaml'),
  protobuf: accept('application/vnd.kubernetes.protobuf'),
  table: as('Table'),
  metadata: as('PartialObjectMetadata'),
  metadataList: as('PartialObjectMetadataList'),
};

export interface Life {
  /** What else the cases are called by, where a kind has several lives. */
  name?: string;
  /** Another good object, with all that the kind knows. */
  full?: JsonObject;
  /** What an update changes: replaces top-level fields, and in `spec` single fields. */
  change: JsonObject;
  /** Objects bring a finalizer along: when deleted, they are let go of it. */
  release?: boolean;
  /** A status to be written; without one, the kind has none. */
  status?: JsonObject;
}

/**
 * What every kind goes through: created, read in every form, listed, updated, its status written, deleted. `path` is the
 * kind's (see objects.ts); objects bring their name, which is `{name}` for those outside of namespaces.
 */
export function lifecycle(path: (rest?: string) => string, minimal: JsonObject, life: Life): Case[] {
  const name = nameOf(minimal);
  const title = (text: string) => (life.name === undefined ? text : `${life.name}: ${text}`);
  const list = name.includes('{') ? path(`?fieldSelector=metadata.name=${name}`) : path();
  const withQuery = (query: string) => `${list}${list.includes('?') ? '&' : '?'}${query}`;
  const objects = life.full ? [minimal, life.full] : [minimal];
  const full = life.full ?? minimal;
  return [
    ask(
      title('created, read in every form, listed'),
      objects.map((object) => post(path(), object)),
      get(path(nameOf(full))),
      get(path(nameOf(full)), forms.yaml),
      get(path(nameOf(full)), forms.protobuf),
      get(path(nameOf(full)), forms.table),
      get(path(nameOf(full)), forms.metadata),
      get(list),
      get(list, forms.yaml),
      get(list, forms.protobuf),
      get(list, forms.table),
      get(withQuery('includeObject=Object'), forms.table),
      get(list, forms.metadataList),
      objects.flatMap((object) => end(path, object, life)),
    ),
    ask(
      title('updated'),
      post(path(), minimal, { as: 'a' }),
      put(path(name), withChange('a', life.change), { as: 'b' }),
      put(path(name), withChange('b', {})),
      put(path(name), withChange('a', {})),
      put(path(name), minimal),
      put(path(missing(name)), { ...minimal, metadata: { name: missing(name) } }),
      end(path, minimal, life),
    ),
    ...(life.status ? [statusWrites(title, path, minimal, life, life.status)] : []),
    ask(
      title('deleted'),
      post(path(), minimal, { as: 'a' }),
      post(path(), minimal),
      del(path(name), { preconditions: { uid: 'nope' } }),
      del(path(`${name}?dryRun=All`)),
      del(path(`${name}?propagationPolicy=Foreground`)),
      del(path(`${name}?propagationPolicy=Orphan`), undefined, { as: 'dying' }),
      put(path(name), unconditional('a', { finalizers: [] })),
      get(path(name)),
      del(path(name)),
      // Where an update must name its revision, the object is still there.
      put(path(name), remade('dying', { finalizers: [] })),
    ),
  ];
}

function statusWrites(
  title: (text: string) => string,
  path: (rest?: string) => string,
  minimal: JsonObject,
  life: Life,
  status: JsonObject,
): Case {
  const name = nameOf(minimal);
  return ask(
    title('a status is written beside the rest, and neither writes the other'),
    post(path(), { ...minimal, status }, { as: 'a' }),
    put(path(`${name}/status`), withChange('a', { ...life.change, status }), { as: 'b' }),
    get(path(`${name}/status`)),
    put(path(name), withChange('b', { ...life.change, status: {} })),
    put(path(`${name}/status`), withChange('a', { status: {} })),
    put(path(`${name}/status`), unconditional('a', { labels: { set: 'here' } }, { status: {} })),
    put(path(`${missing(name)}/status`), { ...minimal, metadata: { name: missing(name) } }),
    end(path, minimal, life),
  );
}

function end(path: (rest?: string) => string, object: JsonObject, { release }: Life): Step[] {
  const name = nameOf(object);
  const released = put(path(name), { ...object, metadata: { name, finalizers: [] } });
  return release ? [del(path(name)), released] : [del(path(name))];
}

/** A name that no object has; outside of namespaces one that no other run uses either. */
function missing(name: string): string {
  return name.includes('{') ? name.replace(/\{(name|other)\}/, '{$1}-nope') : 'nope';
}

function nameOf({ metadata }: JsonObject): string {
  return String((metadata as JsonObject).name);
}

/** The object kept under `name`, with top-level fields replaced and single fields of its spec changed. */
export function withChange(name: string, { spec, ...fields }: JsonObject): (kept: Kept) => JsonObject {
  return (kept) => {
    const old = kept[name] ?? {};
    const merged = spec === undefined ? old.spec : { ...(old.spec as JsonObject), ...(spec as JsonObject) };
    return { ...old, ...(merged !== undefined && { spec: merged }), ...fields };
  };
}

/** The object kept under `name` without its resourceVersion, with other fields of its metadata and at the top. */
function unconditional(
  name: string,
  changes: JsonObject,
  fields: JsonObject = {},
): (kept: Kept) => JsonObject {
  return (kept) => {
    const { resourceVersion: _, ...metadata } = (kept[name]?.metadata ?? {}) as JsonObject;
    return { ...kept[name], ...fields, metadata: { ...metadata, ...changes } };
  };
}
