// The cases of a resource: every verb in every format, on the resource and its subresources.
import { orch } from '../../src/dialect/index.ts';
import { asKind } from '../support/media-types.ts';
import { type Format, formats, mediaTypes } from './bodies.ts';
import type { Filling } from './fill-field.ts';
import type { BodySource, SentRequest } from './requests.ts';
import type { Subject, SubresourceSubject } from './subjects.ts';

/** What is filled, and how far. */
export interface Fill {
  readonly place: string;
  readonly filling: Filling;
  readonly bytes: number;
}

/** One request, for an object with some filled place. */
export interface Case {
  /** `create`, `update status`, `patch apply`. */
  readonly verb: string;
  /** The verb of discovery. */
  readonly discoveryVerb: string;
  readonly subresource: string;
  /** `yaml`, `json Table`. */
  readonly format: string;
  /** Whether the server stores a change, so that controllers and watchers work afterwards. */
  readonly isStored: boolean;
  request(fill: Fill, name: string): SentRequest;
}

type Accept = readonly [format: string, accept: string];

const partial = 'PartialObjectMetadata';
const accepts = (kind: string): Accept[] =>
  formats.map((format) => [`${format} ${kind}`, `${mediaTypes[format]};${asKind(kind)}`]);

/** The forms of one object: itself and its metadata in every media type, and the Table of kubectl. */
const objectForms: readonly Accept[] = [
  ...formats.map((format): Accept => [format, mediaTypes[format]]),
  ...accepts('Table').filter(([format]) => !format.startsWith('protobuf')),
  ...accepts(partial),
];
const listForms: readonly Accept[] = [
  ...objectForms.filter(([format]) => !format.includes(partial)),
  ...accepts(`${partial}List`),
];
/** YAML has no streams. */
const watchForms = objectForms.filter(([format]) => !format.startsWith('yaml'));

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  'apply yaml': 'application/apply-patch+yaml',
  'apply cbor': 'application/apply-patch+cbor',
} as const;

/** A change of one label, for updates of the same object. */
const changedLabels = { turns: 'changed' };
const dryRun = 'dryRun=All';

/** The cases of a resource, those that need the stored object after its create. */
export function casesOf(subject: Subject): Case[] {
  const isServed = ({ discoveryVerb }: Case) => subject.verbs.some((verb) => verb === discoveryVerb);
  const cases = [
    ...creates(subject),
    ...updates(subject),
    ...patches(subject),
    ...reads(subject),
    ...watches(subject),
    ...deletes(subject),
  ].filter(isServed);
  return [...cases, ...subject.subresources.flatMap((subresource) => subresourceCases(subject, subresource))];
}

const pathOf = ({ collection }: Subject, name: string, subresource = '') =>
  `${collection}/${name}${subresource && `/${subresource}`}`;

const hasFormat = ({ schema }: Pick<Subject, 'schema'>, format: string) =>
  schema !== undefined || !format.startsWith('protobuf');

const bodyFormats = (subject: Pick<Subject, 'schema'>) =>
  formats.filter((format) => hasFormat(subject, format));

const bodyOf = (
  subject: Subject,
  fill: Fill,
  name: string,
  format: Format,
  more: Partial<BodySource> = {},
) => ({
  subject: subject.id,
  format,
  name,
  ...fill,
  ...more,
});

const sentAs = (format: Format) => ({ 'content-type': mediaTypes[format], accept: mediaTypes[format] });

/** The case that stores the object for the following ones. */
export function createCase(subject: Subject): Case {
  return create(subject, 'json', '');
}

function create(subject: Subject, format: Format, query: string): Case {
  return {
    verb: query === '' ? 'create' : 'create dry run',
    discoveryVerb: 'create',
    subresource: '',
    format,
    isStored: query === '',
    request: (fill, name) => ({
      method: 'POST',
      path: `${subject.collection}?${query}`,
      headers: sentAs(format),
      body: bodyOf(subject, fill, name, format),
    }),
  };
}

/** The create that stores the object is sent beforehand. */
const creates = (subject: Subject): Case[] =>
  bodyFormats(subject).map((format) => create(subject, format, dryRun));

function updates(subject: Subject, subresource?: SubresourceSubject): Case[] {
  return bodyFormats(subject).map((format) => ({
    verb: named('update', subresource),
    discoveryVerb: 'update',
    subresource: subresource?.name ?? '',
    format,
    isStored: format === 'json',
    request: (fill, name) => ({
      method: 'PUT',
      path: `${pathOf(subject, name, subresource?.name)}?${format === 'json' ? '' : dryRun}`,
      headers: sentAs(format),
      body: bodyOf(subject, fill, name, format, { ...changed(fill), ...of(subresource) }),
    }),
  }));
}

const named = (verb: string, subresource: SubresourceSubject | undefined) =>
  subresource ? `${verb} ${subresource.name}` : verb;

const of = (subresource: SubresourceSubject | undefined) =>
  subresource ? { subresource: subresource.name } : {};

/** A second label, unless the labels are filled. */
const changed = ({ place }: Fill) => (place.startsWith('metadata.labels') ? {} : { labels: changedLabels });

function patches(subject: Subject, subresource?: SubresourceSubject): Case[] {
  const types = Object.entries(patchTypes).filter(([type]) => subject.schema || type !== 'strategic');
  return types.map(([type, contentType]) => ({
    verb: `${named('patch', subresource)} ${type}`,
    discoveryVerb: 'patch',
    subresource: subresource?.name ?? '',
    format: patchFormat(type),
    isStored: type !== 'apply cbor',
    request: (fill, name) => ({
      method: 'PATCH',
      path: `${pathOf(subject, name, subresource?.name)}?${patchQuery(type)}`,
      headers: { 'content-type': contentType },
      body: bodyOf(subject, fill, name, patchFormat(type), {
        ...changed(fill),
        ...of(subresource),
        ...(type === 'json' && { isJsonPatch: true }),
      }),
    }),
  }));
}

function patchQuery(type: string): string {
  if (!type.startsWith('apply')) return '';
  return `fieldManager=turns&force=true${type === 'apply cbor' ? `&${dryRun}` : ''}`;
}

function patchFormat(type: string): Format {
  if (type === 'apply yaml') return 'yaml';
  return type === 'apply cbor' ? 'cbor' : 'json';
}

function read(
  verb: string,
  discoveryVerb: string,
  subresource: string,
  format: string,
  sent: (name: string) => SentRequest,
): Case {
  return { verb, discoveryVerb, subresource, format, isStored: false, request: (_, name) => sent(name) };
}

function reads(subject: Subject): Case[] {
  const forms = (all: readonly Accept[]) =>
    all.filter(([format]) => hasFormat(subject, format) || format.includes(partial));
  return [
    ...forms(objectForms).map(([format, accept]) =>
      read('get', 'get', '', format, (name) => ({
        method: 'GET',
        path: pathOf(subject, name),
        headers: { accept },
      })),
    ),
    ...forms(listForms).map(([format, accept]) =>
      read('list', 'list', '', format, () => ({
        method: 'GET',
        path: subject.collection,
        headers: { accept },
      })),
    ),
  ];
}

/** The initial event, and the event of a change. */
function watches(subject: Subject): Case[] {
  const forms = watchForms.filter(([format]) => hasFormat(subject, format) || format.includes(partial));
  return forms.map(([format, accept]) =>
    read('watch', 'watch', '', format, (name) => ({
      method: 'GET',
      path: `${subject.collection}?watch=1&fieldSelector=metadata.name%3D${name}`,
      headers: { accept },
      isWatch: true,
      ...(subject.verbs.includes('patch') && { during: relabel(subject, name) }),
    })),
  );
}

const relabel = (subject: Subject, name: string): SentRequest => ({
  method: 'PATCH',
  path: pathOf(subject, name),
  headers: { 'content-type': patchTypes.merge },
  body: textBody(
    subject,
    name,
    JSON.stringify({ metadata: { annotations: { turns: String(Math.random()) } } }),
  ),
});

const textBody = (subject: Subject, name: string, text: string): BodySource => ({
  subject: subject.id,
  format: 'json',
  filling: 'valid',
  name,
  bytes: 0,
  text,
});

/** Dry runs in every format; the object is deleted afterwards (deleteCases). */
function deletes(subject: Subject): Case[] {
  return bodyFormats(subject).flatMap((format) => [
    read('delete dry run', 'delete', '', format, (name) => ({
      method: 'DELETE',
      path: `${pathOf(subject, name)}?${dryRun}`,
      headers: { accept: mediaTypes[format] },
    })),
    read('deletecollection dry run', 'deletecollection', '', format, (name) => ({
      method: 'DELETE',
      path: `${subject.collection}?fieldSelector=metadata.name%3D${name}&${dryRun}`,
      headers: { accept: mediaTypes[format] },
    })),
  ]);
}

/** The case that removes the object. */
export function deleteCase(subject: Subject, verb: 'delete' | 'deletecollection'): Case {
  const path = (name: string) =>
    verb === 'delete'
      ? `${pathOf(subject, name)}?gracePeriodSeconds=0`
      : `${subject.collection}?fieldSelector=metadata.name%3D${name}&gracePeriodSeconds=0`;
  const sent = (name: string) => ({ method: 'DELETE', path: path(name), headers: {} });
  return { ...read(verb, verb, '', 'json', sent), isStored: true };
}

/** Removes the finalizers that would keep the object. */
export const releaseRequest = (subject: Subject, name: string): SentRequest => ({
  method: 'PATCH',
  path: pathOf(subject, name),
  headers: { 'content-type': patchTypes.merge },
  body: textBody(subject, name, JSON.stringify({ metadata: { finalizers: null } })),
});

function subresourceCases(subject: Subject, subresource: SubresourceSubject): Case[] {
  if (subresource.isConnect) return connects(subject, subresource);
  const cases = [
    ...(subresource.isAction ? actions(subject, subresource) : []),
    ...updates(subject, subresource),
    ...patches(subject, subresource),
    ...formats
      .filter((format) => hasFormat(subresource, format))
      .map((format) =>
        read(`get ${subresource.name}`, 'get', subresource.name, format, (name) => ({
          method: 'GET',
          path: pathOf(subject, name, subresource.name),
          headers: { accept: mediaTypes[format] },
        })),
      ),
  ];
  return cases.filter(({ discoveryVerb }) => subresource.verbs.some((verb) => verb === discoveryVerb));
}

function actions(subject: Subject, subresource: SubresourceSubject): Case[] {
  return bodyFormats(subresource).map((format) => ({
    verb: `create ${subresource.name}`,
    discoveryVerb: 'create',
    subresource: subresource.name,
    format,
    isStored: false,
    request: (fill, name) => ({
      method: 'POST',
      path: `${pathOf(subject, name, subresource.name)}?${dryRun}`,
      headers: sentAs(format),
      body: bodyOf(subject, fill, name, format, of(subresource)),
    }),
  }));
}

/** The body of a connection is not the server's; its query is. */
function connects(subject: Subject, { name: subresource, verbs }: SubresourceSubject): Case[] {
  const query = `command=${'a&command='.repeat(1_000)}`;
  return verbs.map((verb) =>
    read(`${verb} ${subresource}`, verb, subresource, 'query', (name) => ({
      method: verb === 'create' ? 'POST' : 'GET',
      path: `${pathOf(subject, name, subresource)}?${query}`,
      headers: {},
    })),
  );
}

/** The CRDs that the custom resources need. */
export const definitionsPath = `/apis/${orch.apiVersion('apiextensions', 'v1')}/customresourcedefinitions`;
