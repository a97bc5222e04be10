import { ask, get, type Json, type JsonObject, send, subject } from '../case.ts';
import { groups } from './discovery.ts';

const names = [
  '.well-known/openid-configuration',
  'api',
  'api/v1',
  'apis',
  'openid/v1/jwks',
  'version',
  ...Object.entries(groups).flatMap(([group, versions]) => [
    `apis/${group}`,
    ...versions.map((version) => `apis/${group}/${version}`),
  ]),
];

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value on one line, with its keys sorted and without descriptions, which each server words for itself. */
function line(value: Json): string {
  return JSON.stringify(value, (_, part: Json) => {
    if (!isObject(part)) return part;
    const told = Object.entries(part).filter(
      ([key, text]) => key !== 'description' || typeof text !== 'string',
    );
    // A reference is wrapped to have something beside it, be it only a description.
    const [only, ...others] = told;
    if (only?.[0] === 'allOf' && others.length === 0 && Array.isArray(only[1])) return only[1][0];
    return Object.fromEntries(told.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

const lines = (value: Json | undefined): JsonObject =>
  Object.fromEntries(Object.entries((value ?? {}) as JsonObject).map(([key, inner]) => [key, line(inner)]));

const twoDeep = (value: Json | undefined): JsonObject =>
  Object.fromEntries(Object.entries((value ?? {}) as JsonObject).map(([key, inner]) => [key, lines(inner)]));

/** Schemas with a line for each property. */
const schemas = (value: Json | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries((value ?? {}) as JsonObject).map(([name, schema]) => {
      const { properties, description: _, ...rest } = schema as JsonObject;
      return [name, { ...lines(rest), ...(properties !== undefined && { properties: lines(properties) }) }];
    }),
  );

export function version3({ paths, components, ...rest }: JsonObject): Json {
  const { schemas: types, ...others } = (components ?? {}) as JsonObject;
  return { ...rest, paths: twoDeep(paths), schemas: schemas(types), components: lines(others) };
}

/** Shared parameters are named by a hash of their descriptions too, so each is put where it is referred to. */
export function version2({
  paths,
  definitions,
  parameters,
  securityDefinitions,
  ...rest
}: JsonObject): JsonObject {
  const shared = (parameters ?? {}) as JsonObject;
  const resolved = JSON.parse(
    JSON.stringify(paths, (_, part: Json) => {
      if (!isObject(part) || typeof part.$ref !== 'string' || !part.$ref.startsWith('#/parameters/'))
        return part;
      return { shared: shared[part.$ref.slice('#/parameters/'.length)] ?? null };
    }),
  ) as Json;
  return {
    ...rest,
    paths: twoDeep(resolved),
    definitions: schemas(definitions),
    securityDefinitions: lines(securityDefinitions),
    parameters: [...new Set(Object.values(shared).map(line))].sort(),
  };
}

/** Without the names of custom kinds, which other cases make. */
const ownNames = (value: Json | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries((value ?? {}) as JsonObject).filter(([name]) => !/example\.com|com\.example/.test(name)),
  );

const withoutHashes = ({ paths }: JsonObject): Json =>
  JSON.parse(JSON.stringify({ paths: ownNames(paths) }).replaceAll(/hash=[0-9A-F]+/g, 'hash=<hash>')) as Json;

const ownVersion2 = ({ paths, definitions, ...rest }: JsonObject): Json =>
  version2({ ...rest, paths: ownNames(paths), definitions: ownNames(definitions) });

const protobuf = (version: string, separator: string) =>
  `application/com.github.proto-openapi.spec.${version}${separator}v1.0+protobuf`;
const accept = (value: string) => ({ headers: { accept: value } });
const nothing = () => null;

export const openApi = subject('openapi', [
  ask('the index', get('/openapi/v3', { pick: withoutHashes })),
  ...names.map((name) => ask(`v3 of ${name}`, get(`/openapi/v3/${name}`, { pick: version3 }))),
  ask('v2', get('/openapi/v2', { pick: ownVersion2 })),
  ask(
    'a document by its hash, and by one that is outdated',
    get('/openapi/v3/version', { as: 'document', pick: version3 }),
    get('/openapi/v3/version?hash={document.hash}', { pick: version3 }),
    get('/openapi/v3/version', { headers: { 'if-none-match': '{document.etag}' } }),
    get('/openapi/v3/version?hash={document.hash}', { headers: { 'if-none-match': '{document.etag}' } }),
    get('/openapi/v3/version', { headers: { 'if-none-match': '"other"' }, pick: nothing }),
    get('/openapi/v3/version?hash=', { pick: nothing }),
  ),
  ask(
    'the forms of a document',
    ...['*/*', 'application/*', 'application/json;q=0.5, */*;q=0.1', ''].map((value) =>
      get('/openapi/v3/version', { ...accept(value), pick: nothing }),
    ),
    ...['application/yaml', 'text/plain', protobuf('v2', '@')].map((value) =>
      get('/openapi/v3/version', accept(value)),
    ),
    ...['application/yaml', 'text/plain', protobuf('v3', '@')].map((value) =>
      get('/openapi/v2', accept(value)),
    ),
    get('/openapi/v2', { ...accept('*/*'), pick: nothing }),
    get('/openapi/v3', { ...accept('application/yaml'), pick: nothing }),
  ),
  ask(
    'paths that are no documents, and methods nobody uses',
    get('/openapi/v3/'),
    get('/openapi/v3/version/'),
    get('/openapi/v3/apis/apps/v9'),
    get('/openapi/v3/nothing'),
    get('/openapi/v2/'),
    get('/openapi'),
    get('/openapi/v4'),
    send('POST', '/openapi/v3', undefined, { pick: nothing }),
    send('POST', '/openapi/v3/version', undefined, { pick: nothing }),
    send('DELETE', '/openapi/v2', undefined, { pick: nothing }),
  ),
  ask(
    'no part of the index',
    ...['lines=0-10', 'bytes=-', 'bytes=5-2'].map((range) => get('/openapi/v3', { headers: { range } })),
  ),
]);
