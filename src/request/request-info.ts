// RequestInfo: verb, group, version, resource, namespace and name of a request (upstream: request.RequestInfo).
import { parseAnyFieldSelector, selectedName } from '../selectors/field-selector.ts';
import { parseQuery } from './http-request.ts';
import { fieldRestriction, labelRestriction, type Restrictions } from './restrictions.ts';

/** A malformed request target; the message is sent as plain text. */
export class MalformedRequest extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface RequestInfo {
  readonly path: string;
  /** Offset of the query in the request target; -1 without one. */
  readonly queryOffset: number;
  /**
   * get, list, watch, create, update, patch, delete, deletecollection; the lower-case method for paths that are no
   * resource.
   */
  readonly verb: string;
  readonly isResource: boolean;
  /** The path has neither an empty name nor more segments than a route has, so a route may match it. */
  readonly isRoutable: boolean;
  /** 'api' or 'apis'. */
  readonly apiPrefix: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  /** The path goes through `namespaces/{namespace}/` to a resource in it; false for the namespace itself. */
  readonly isInNamespace: boolean;
  readonly resource: string;
  readonly subresource: string;
  /** From the path, or for list and watch from `fieldSelector=metadata.name=…`. */
  readonly name: string;
  readonly isNameInPath: boolean;
  /** The selectors of list, watch and deletecollection, parsed at first use. */
  readonly restrictions?: Restrictions | undefined;
}

/** A Map, because an HTTP/2 client may send any method, also `constructor`. */
const verbOfMethod: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

const longRunningVerbs = new Set(['watch', 'proxy']);
const longRunningSubresources = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** Long-running requests have no deadline. They hold no seat of flow control, except a watch until it has started. */
export function isLongRunning(info: RequestInfo): boolean {
  return (
    info.isResource && (longRunningVerbs.has(info.verb) || longRunningSubresources.has(info.subresource))
  );
}

/** The two classes whose concurrent requests are limited and counted apart. */
export type RequestClass = 'readOnly' | 'mutating';

export function requestClassOf({ verb }: RequestInfo): RequestClass {
  return verb === 'get' || verb === 'list' || verb === 'watch' ? 'readOnly' : 'mutating';
}

/** Subresources of namespaces; other segments after `namespaces/{name}/` are resources in the namespace. */
const namespaceSubresources = new Set(['status', 'finalize']);

/** Parses a request target. Every request is parsed here: no URL object, and the query only if it is relevant. */
export function readRequestInfo(method: string, target: string): RequestInfo {
  const { path, queryOffset } = parsePath(target);
  const info = new ParsedRequest(target, path, queryOffset);
  const segments = trimSlashes(path).split('/');
  const prefix = segments[0]!;
  const isGrouped = prefix === 'apis';
  // A resource path is at least /api/{version}/{resource} or /apis/{group}/{version}/{resource}.
  if ((!isGrouped && prefix !== 'api') || segments.length < (isGrouped ? 4 : 3)) {
    info.verb = method.toLowerCase();
    return info;
  }
  info.isResource = true;
  info.apiPrefix = prefix;
  let index = 1;
  if (isGrouped) info.group = segments[index++]!;
  info.version = segments[index++]!;

  // The deprecated paths /api/v1/watch/… and /api/v1/proxy/….
  const hasVerbSegment = segments[index] === 'watch' || segments[index] === 'proxy';
  if (hasVerbSegment) {
    info.verb = segments[index++]!;
    if (index === segments.length) {
      throw new MalformedRequest(
        500,
        `Internal Server Error: ${JSON.stringify(target)}: failed to create RequestInfo: unable to determine kind and namespace from url, ${path}`,
      );
    }
  } else {
    info.verb = verbOfMethod.get(method) ?? '';
  }

  if (segments[index] === 'namespaces' && index + 1 < segments.length) {
    info.namespace = segments[index + 1]!;
    if (index + 2 < segments.length && !namespaceSubresources.has(segments[index + 2]!)) {
      info.isInNamespace = true;
      index += 2;
    }
  }
  info.resource = segments[index] ?? '';
  info.name = segments[index + 1] ?? '';
  info.isNameInPath = info.name !== '';
  if (info.verb !== 'proxy') info.subresource = segments[index + 2] ?? '';
  info.isRoutable =
    (segments.length <= index + 3 || info.subresource === 'proxy') &&
    (info.name !== '' || segments.length === index + 1) &&
    !path.startsWith('//') &&
    // `/apis//v1/…` names no group; the core group is served under /api only.
    !(isGrouped && info.group === '');

  if (info.name === '') {
    if (info.verb === 'get') readCollectionQuery(info, target);
    else if (info.verb === 'delete') info.verb = 'deletecollection';
  }
  return info;
}

/** Which protocol upgrade the path of a request supports: a watch as WebSocket, a proxied connection, or none. */
export function supportedUpgrade(
  method: string,
  target: string,
  isUpgradedPath: (path: string) => boolean,
): 'watch' | 'connection' | undefined {
  try {
    const { path, isResource, verb, subresource } = readRequestInfo(method, target);
    if (isUpgradedPath(path)) return 'connection';
    if (verb === 'watch') return 'watch';
    return isResource && upgradableSubresources.has(subresource) ? 'connection' : undefined;
  } catch {
    return undefined;
  }
}

/** These subresources proxy any protocol. */
const upgradableSubresources = new Set(['attach', 'exec', 'portforward', 'proxy']);

/** Verbs that selectors apply to. */
const selectorVerbs = new Set(['list', 'watch', 'deletecollection']);

class ParsedRequest implements RequestInfo {
  readonly target: string;
  readonly path: string;
  readonly queryOffset: number;
  verb = '';
  isResource = false;
  isRoutable = true;
  apiPrefix = '';
  group = '';
  version = '';
  namespace = '';
  isInNamespace = false;
  resource = '';
  subresource = '';
  name = '';
  isNameInPath = false;

  constructor(target: string, path: string, queryOffset: number) {
    this.target = target;
    this.path = path;
    this.queryOffset = queryOffset;
  }

  get restrictions(): Restrictions | undefined {
    if (!this.isResource || !selectorVerbs.has(this.verb)) return undefined;
    const query = parseQuery(this.queryOffset < 0 ? '' : this.target.slice(this.queryOffset));
    return {
      fields: fieldRestriction(query.get('fieldSelector') ?? ''),
      labels: labelRestriction(query.get('labelSelector') ?? ''),
    };
  }
}

/** A parameter that affects RequestInfo, or one whose name has escapes. */
const relevantParameter = /watch|fieldSelector|(?:^|&)[^=&]*%/;

/** A GET of a collection is list or watch; `fieldSelector=metadata.name=…` sets the name. */
function readCollectionQuery(info: ParsedRequest, target: string): void {
  info.verb = 'list';
  if (info.queryOffset < 0) return;
  const queryText = target.slice(info.queryOffset);
  if (!relevantParameter.test(queryText)) return;
  const query = parseQuery(queryText);
  const watch = query.get('watch')?.toLowerCase();
  if (watch !== undefined && watch !== 'false' && watch !== '0') info.verb = 'watch';
  const name = nameRequiredBy(query.get('fieldSelector') ?? '');
  if (name !== undefined && isPathSegment(name)) info.name = name;
}

/** The name that a field selector requires. Errors are reported by the handler. */
function nameRequiredBy(selector: string): string | undefined {
  try {
    return selectedName(parseAnyFieldSelector(selector));
  } catch {
    return undefined;
  }
}

function isPathSegment(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !name.includes('%');
}

const slash = 0x2f;

function trimSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (start < end && path.charCodeAt(start) === slash) start++;
  while (end > start && path.charCodeAt(end - 1) === slash) end--;
  return start === 0 && end === path.length ? path : path.slice(start, end);
}

/** The decoded path and the offset of the query (-1 without one). */
interface RequestPath {
  readonly path: string;
  readonly queryOffset: number;
}

function parsePath(target: string): RequestPath {
  const questionMark = target.indexOf('?');
  let path = questionMark < 0 ? target : target.slice(0, questionMark);
  if (path.charCodeAt(0) !== slash) path = withoutAuthority(path);
  return {
    path: path.includes('%') ? decodePath(path) : path,
    queryOffset: questionMark < 0 ? -1 : questionMark + 1,
  };
}

/** Clients of a proxy send the whole URL. */
function withoutAuthority(target: string): string {
  const authority = /^https?:\/\/[^/]*/i.exec(target);
  if (authority) return target.slice(authority[0].length) || '/';
  // `OPTIONS *`.
  if (target === '*') return target;
  throw new MalformedRequest(400, '400 Bad Request');
}

function decodePath(path: string): string {
  if (/%(?![0-9a-fA-F]{2})/.test(path)) throw new MalformedRequest(400, '400 Bad Request');
  try {
    return decodeURIComponent(path);
  } catch {
    // Escapes that are no UTF-8 are legal in a path; they name nothing that exists.
    const bytes = path.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return Buffer.from(bytes, 'latin1').toString('utf8');
  }
}
