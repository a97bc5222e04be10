// API aggregation: OpenAPI documents of other servers.
import { CooperativeYield } from '../base/cooperative-yield.ts';

/** OpenAPI of a group version of another server. */
export interface RemoteDescription {
  /** The key in the OpenAPI v3 index: `apis/apps/v1`. */
  readonly name: string;
  /** Changes with the content. */
  readonly digest: string;
  /** The serverRelativeURL of its v3 document. */
  readonly address: string | undefined;
  readonly version2: RemoteDocument2 | undefined;
}

/** The part of a v2 document for one group version. */
export interface RemoteDocument2 {
  readonly paths: Readonly<Record<string, object>>;
  readonly definitions: Readonly<Record<string, object>>;
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (said: unknown): said is Members =>
  typeof said === 'object' && said !== null && !Array.isArray(said);

/** The serverRelativeURL of a version in an index. URLs of other hosts or versions are rejected. */
export function version3AddressIn(index: unknown, name: string): string | undefined {
  const paths = isObject(index) && isObject(index.paths) ? index.paths : {};
  const entry = Object.hasOwn(paths, name) ? paths[name] : undefined;
  const address = isObject(entry) ? entry.serverRelativeURL : undefined;
  return typeof address === 'string' && address.startsWith(`/openapi/v3/${name}`) ? address : undefined;
}

/** The paths of a version in a v2 document with the definitions they refer to; undefined if it is nested too deeply. */
export async function version2Of(document: unknown, name: string): Promise<RemoteDocument2 | undefined> {
  if (!isObject(document) || !isObject(document.paths)) return undefined;
  const below = `/${name}/`;
  const parameters = isObject(document.parameters) ? document.parameters : {};
  const known = isObject(document.definitions) ? document.definitions : {};
  const turns = new CooperativeYield();
  const paths: [string, Members][] = [];
  const definitions = new Map<string, object>();
  const pending: unknown[] = [];
  const meet = (reference: string) => {
    if (!reference.startsWith(definitionPrefix)) return;
    const wanted = reference.slice(definitionPrefix.length);
    const definition = Object.hasOwn(known, wanted) ? known[wanted] : undefined;
    if (definitions.has(wanted) || !isObject(definition)) return;
    definitions.set(wanted, definition);
    pending.push(definition);
  };
  try {
    for (const [path, item] of Object.entries(document.paths)) {
      if (!path.startsWith(below) || !isObject(item)) continue;
      await turns.next();
      const whole = withParameters(item, parameters) as Members;
      paths.push([path, whole]);
      eachReference(whole, meet);
    }
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      await turns.next();
      eachReference(next, meet);
    }
  } catch (error) {
    if (error instanceof TooDeep) return undefined;
    throw error;
  }
  if (paths.length === 0) return undefined;
  const inOrder = [...definitions].sort(([a], [b]) => (a < b ? -1 : 1));
  return { paths: Object.fromEntries(paths), definitions: Object.fromEntries(inOrder) };
}

const definitionPrefix = '#/definitions/';
const parameterPrefix = '#/parameters/';

/** Guards the recursion; real schemas are far below it. */
const maxDepth = 100;

class TooDeep extends Error {}

/** Inlines shared parameters, whose names are local to the other server. */
function withParameters(value: unknown, shared: Members, depth = 0): unknown {
  if (depth > maxDepth) throw new TooDeep();
  if (Array.isArray(value)) return value.map((one) => withParameters(one, shared, depth + 1));
  if (!isObject(value)) return value;
  const { $ref } = value;
  if (typeof $ref === 'string' && $ref.startsWith(parameterPrefix)) {
    const name = $ref.slice(parameterPrefix.length);
    return Object.hasOwn(shared, name) ? shared[name] : value;
  }
  const entries = Object.entries(value).map(([key, one]) => [key, withParameters(one, shared, depth + 1)]);
  return Object.fromEntries(entries);
}

function eachReference(value: unknown, meet: (reference: string) => void, depth = 0): void {
  if (depth > maxDepth) throw new TooDeep();
  if (typeof value !== 'object' || value === null) return;
  for (const [key, one] of Object.entries(value)) {
    if (key === '$ref' && typeof one === 'string') meet(one);
    else eachReference(one, meet, depth + 1);
  }
}
