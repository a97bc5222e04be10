// CEL URL library of Kubernetes: `url(text)` and the accessors of its parts.
// The leading dot of an overload id marks a member function (see LibraryBuilder).
import { requestUriProblem } from '../../codec/uri/uri.ts';
import { quote } from '../../errors/quote.ts';
import type { CallCost } from '../cost/call-cost.ts';
import { nominal, traversalCostRange, traversesArgument } from '../cost/models.ts';
import { type Library, LibraryBuilder } from '../declarations.ts';
import { fail } from '../errors.ts';
import { CelObject, type CelType, struct } from '../types.ts';
import { jsonMap } from '../values.ts';

const urlType = struct('service.URL');

interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

class UrlValue extends CelObject {
  readonly text: string;
  readonly parts: UrlParts;

  constructor(text: string, parts: UrlParts) {
    super();
    this.text = text;
    this.parts = parts;
  }

  override get type(): CelType {
    return urlType;
  }

  override equals(other: unknown): boolean {
    return other instanceof UrlValue && other.text === this.text;
  }
}

/** The parts of an absolute URL or an absolute path, or the error message. */
export function parseUrl(text: string): UrlParts | { readonly problem: string } {
  const problem = requestUriProblem(text);
  if (problem !== undefined) return { problem: `parse ${quote(text)}: ${problem}` };
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text);
  const rest = text.slice(scheme?.[0].length ?? 0);
  const questionAt = rest.indexOf('?');
  const beforeQuery = questionAt < 0 ? rest : rest.slice(0, questionAt);
  const query = questionAt < 0 ? '' : rest.slice(questionAt + 1);
  const schemeName = (scheme?.[1] ?? '').toLowerCase();
  if (!beforeQuery.startsWith('/'))
    return { scheme: schemeName, host: '', path: scheme ? '' : beforeQuery, query };
  const hasHost = beforeQuery.startsWith('//') && (scheme !== null || !beforeQuery.startsWith('///'));
  const pathAt = hasHost ? beforeQuery.indexOf('/', 2) : 0;
  const authority = hasHost ? beforeQuery.slice(2, pathAt < 0 ? undefined : pathAt) : '';
  const path = pathAt < 0 ? '' : beforeQuery.slice(pathAt);
  return { scheme: schemeName, host: authority.slice(authority.lastIndexOf('@') + 1), path, query };
}

function parseUrlOrFail(text: string): UrlValue {
  const parts = parseUrl(text);
  return 'problem' in parts
    ? fail(`URL parse error during conversion from string: ${parts.problem}`)
    : new UrlValue(text, parts);
}

const portSuffix = /:([0-9]*)$/;

function hostName({ parts: { host } }: UrlValue): string {
  const withoutPort = host.endsWith(']') ? host : host.replace(portSuffix, '');
  return withoutPort.startsWith('[') ? withoutPort.slice(1, withoutPort.indexOf(']')) : withoutPort;
}

const port = ({ parts: { host } }: UrlValue) =>
  host.endsWith(']') ? '' : (portSuffix.exec(host)?.[1] ?? '');

/** The query parameters: each key with all its values. */
function parseQuery({ parts: { query } }: UrlValue) {
  const values = new Map<string, string[]>();
  for (const [key, value] of new URLSearchParams(query)) {
    const existing = values.get(key);
    if (existing) existing.push(value);
    else values.set(key, [value]);
  }
  return jsonMap(values);
}

/** The path with percent-encoding. */
const escapedPath = ({ parts: { path } }: UrlValue) =>
  path.replace(/[^A-Za-z0-9\-._~$&+,/:;=@!'()*%[\]]/gu, (character) => encodeURIComponent(character));

const urlParsingCost: CallCost = {
  estimate: ({ argSizes }) => ({ cost: traversalCostRange(argSizes[0]!), size: argSizes[0]! }),
  runtime: traversesArgument.runtime,
};

export const urls: Library = new LibraryBuilder(urlType)
  .add('url', 'string_to_url', 'string -> URL', urlParsingCost, parseUrlOrFail)
  .add('isURL', 'is_url_string', 'string -> bool', nominal, (text: string) => !('problem' in parseUrl(text)))
  .add('getScheme', '.url_get_scheme', 'URL -> string', nominal, ({ parts }: UrlValue) => parts.scheme)
  .add('getHost', '.url_get_host', 'URL -> string', nominal, ({ parts }: UrlValue) => parts.host)
  .add('getHostname', '.url_get_hostname', 'URL -> string', nominal, hostName)
  .add('getPort', '.url_get_port', 'URL -> string', nominal, port)
  .add('getEscapedPath', '.url_get_escaped_path', 'URL -> string', nominal, escapedPath)
  .add('getQuery', '.url_get_query', 'URL -> map(string, list(string))', nominal, parseQuery)
  .library();
