/** How another server describes a group version of its own. */
export interface RemoteDescription {
  /** As the index of documents calls it: `apis/apps/v1`. */
  readonly name: string;
  /** Where its v3 document is, with its hash, if it has one. */
  readonly address: string | undefined;
  readonly version2: RemoteDocument2 | undefined;
}

/** The part of a v2 document that is about one group version. */
export interface RemoteDocument2 {
  readonly paths: Readonly<Record<string, object>>;
  readonly definitions: Readonly<Record<string, object>>;
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (said: unknown): said is Members =>
  typeof said === 'object' && said !== null && !Array.isArray(said);

/** Where an index says that a document is. A server speaks for its own only. */
export function version3AddressIn(index: unknown, name: string): string | undefined {
  const paths = isObject(index) && isObject(index.paths) ? index.paths : {};
  const entry = Object.hasOwn(paths, name) ? paths[name] : undefined;
  const address = isObject(entry) ? entry.serverRelativeURL : undefined;
  return typeof address === 'string' && address.startsWith(`/openapi/v3/${name}`) ? address : undefined;
}

/** What a v2 document says of a version, with the definitions that it refers to. */
export function version2Of(document: unknown, name: string): RemoteDocument2 | undefined {
  if (!isObject(document) || !isObject(document.paths)) return undefined;
  const below = `/${name}/`;
  const paths = Object.entries(document.paths).filter(
    (entry): entry is [string, Members] => entry[0].startsWith(below) && isObject(entry[1]),
  );
  if (paths.length === 0) return undefined;
  const known = isObject(document.definitions) ? document.definitions : {};
  const parameters = isObject(document.parameters) ? document.parameters : {};
  const inlined = paths.map(([path, item]): [string, Members] => [path, withParameters(item, parameters)]);
  return { paths: Object.fromEntries(inlined), definitions: reached(inlined, known) };
}

/** With the parameters written out that it refers to: the names of shared ones are the other server's. */
function withParameters(item: Members, shared: Members): Members {
  const prefix = '#/parameters/';
  return JSON.parse(JSON.stringify(item), (_key, value: unknown) => {
    const reference = isObject(value) ? value.$ref : undefined;
    if (typeof reference !== 'string' || !reference.startsWith(prefix)) return value;
    const name = reference.slice(prefix.length);
    return Object.hasOwn(shared, name) ? shared[name] : value;
  }) as Members;
}

const definitionPrefix = '#/definitions/';

/** The definitions that some paths refer to, and those that these do. */
function reached(paths: readonly [string, Members][], known: Members): Record<string, object> {
  const found = new Map<string, object>();
  const look = (value: unknown) => {
    JSON.stringify(value, (key, inner: unknown) => {
      if (key !== '$ref' || typeof inner !== 'string' || !inner.startsWith(definitionPrefix)) return inner;
      const name = inner.slice(definitionPrefix.length);
      const definition = Object.hasOwn(known, name) ? known[name] : undefined;
      if (found.has(name) || !isObject(definition)) return inner;
      found.set(name, definition);
      pending.push(definition);
      return inner;
    });
  };
  const pending: unknown[] = [paths];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) look(next);
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
