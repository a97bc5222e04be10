// API aggregation: extracts a group version from the OpenAPI documents of an aggregated API server.
import { CooperativeYield } from '../base/cooperative-yield.ts';

/** The OpenAPI of a group version of an aggregated API server. */
export interface RemoteOpenApi {
  /** The key in the OpenAPI v3 index: `apis/apps/v1`. */
  readonly name: string;
  /** SHA-256 of the server's v3 index and v2 document; it changes with the content. */
  readonly digest: string;
  /** The serverRelativeURL of its v3 document; undefined if it has none. */
  readonly url: string | undefined;
  readonly version2: RemoteDocument2 | undefined;
}

/** The part of a v2 document for one group version. */
export interface RemoteDocument2 {
  readonly paths: Readonly<Record<string, object>>;
  readonly definitions: Readonly<Record<string, object>>;
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The serverRelativeURL of a version in the v3 index; undefined if it leads to another host or version. */
export function version3UrlIn(index: unknown, name: string): string | undefined {
  const paths = isObject(index) && isObject(index.paths) ? index.paths : {};
  const entry = Object.hasOwn(paths, name) ? paths[name] : undefined;
  const url = isObject(entry) ? entry.serverRelativeURL : undefined;
  return typeof url === 'string' && url.startsWith(`/openapi/v3/${name}`) ? url : undefined;
}

/**
 * The paths of a version in a v2 document with the definitions they refer to; undefined if there are none, or if the
 * document is nested too deeply.
 */
export async function version2Of(document: unknown, name: string): Promise<RemoteDocument2 | undefined> {
  if (!isObject(document) || !isObject(document.paths)) return undefined;
  const prefix = `/${name}/`;
  const parameters = isObject(document.parameters) ? document.parameters : {};
  const sharedDefinitions = isObject(document.definitions) ? document.definitions : {};
  const yielder = new CooperativeYield();
  try {
    const paths: [string, Members][] = [];
    for (const [path, item] of Object.entries(document.paths)) {
      if (!path.startsWith(prefix) || !isObject(item)) continue;
      await yielder.next();
      paths.push([path, inlineParameters(item, parameters) as Members]);
    }
    if (paths.length === 0) return undefined;
    const pathItems = paths.map(([, item]) => item);
    const definitions = await referencedDefinitions(pathItems, sharedDefinitions, yielder);
    return { paths: Object.fromEntries(paths), definitions };
  } catch (error) {
    if (error instanceof TooDeep) return undefined;
    throw error;
  }
}

/** The definitions that parts of a document refer to, directly or through other definitions, ordered by name. */
async function referencedDefinitions(
  parts: readonly unknown[],
  sharedDefinitions: Members,
  yielder: CooperativeYield,
): Promise<Readonly<Record<string, object>>> {
  const definitions = new Map<string, object>();
  /** Parts and definitions whose references are not visited yet. */
  const pending = [...parts];
  const addReferenced = (reference: string) => {
    if (!reference.startsWith(definitionPrefix)) return;
    const name = reference.slice(definitionPrefix.length);
    const definition = Object.hasOwn(sharedDefinitions, name) ? sharedDefinitions[name] : undefined;
    if (definitions.has(name) || !isObject(definition)) return;
    definitions.set(name, definition);
    pending.push(definition);
  };
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    await yielder.next();
    visitReferences(next, addReferenced);
  }
  return Object.fromEntries([...definitions].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const definitionPrefix = '#/definitions/';
const parameterPrefix = '#/parameters/';

/** Limits the recursion, because the document is untrusted. */
const maxDepth = 100;

/** The document is nested deeper than `maxDepth`. */
class TooDeep extends Error {}

/** Inlines shared parameters: their names may conflict with those of this server's document. */
function inlineParameters(value: unknown, shared: Members, depth = 0): unknown {
  if (depth > maxDepth) throw new TooDeep();
  if (Array.isArray(value)) return value.map((inner) => inlineParameters(inner, shared, depth + 1));
  if (!isObject(value)) return value;
  const { $ref } = value;
  if (typeof $ref === 'string' && $ref.startsWith(parameterPrefix)) {
    const name = $ref.slice(parameterPrefix.length);
    return Object.hasOwn(shared, name) ? shared[name] : value;
  }
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    inlineParameters(inner, shared, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

/** Calls `addReferenced` with each `$ref` in a part of a document. */
function visitReferences(value: unknown, addReferenced: (reference: string) => void, depth = 0): void {
  if (depth > maxDepth) throw new TooDeep();
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '$ref' && typeof inner === 'string') addReferenced(inner);
    else visitReferences(inner, addReferenced, depth + 1);
  }
}
