// Validation of webhook client configurations (upstream: apiserver/pkg/util/webhook).

import { addErrors, type FieldError, goStringSlice, invalid, required } from '../errors/field-error.ts';
import { quote } from '../errors/quote.ts';
import { dnsLabel1035, dnsSubdomain, portNumber } from '../schema/names.ts';

/** A reference to the Service of a webhook. */
export interface WebhookService {
  readonly name: string;
  readonly namespace: string;
  readonly path?: string;
  readonly port?: number;
}

/** Has exactly one of url and service. */
export interface WebhookClient {
  readonly url?: string;
  readonly service?: WebhookService;
}

/** Requires exactly one of url and service, and validates it. */
export function validateWebhookClient({ url, service }: WebhookClient, path: string): FieldError[] {
  if ((url === undefined) === (service === undefined)) {
    return [required(path, 'exactly one of url or service is required')];
  }
  return url === undefined
    ? validateWebhookService(service!, `${path}.service`)
    : validateWebhookUrl(url, `${path}.url`);
}

/** The review versions that the server can send. */
export const reviewVersions = ['v1', 'v1beta1'];

/** Requires at least one review version that the server can send. */
export function validateReviewVersions(versions: readonly string[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, version] of versions.entries()) {
    if (seen.has(version)) errors.push(invalid(`${path}[${i}]`, version, 'duplicate version'));
    else
      addErrors(
        errors,
        dnsLabel1035(version).map((problem) => invalid(`${path}[${i}]`, version, problem)),
      );
    seen.add(version);
  }
  if (!versions.some((version) => reviewVersions.includes(version))) {
    const detail = `must include at least one of ${reviewVersions.join(', ')}`;
    errors.push(invalid(path, goStringSlice(versions), detail));
  }
  return errors;
}

const formatHint = '; desired format: https://host[/path]';

/** Requires an https URL without user info, query and fragment (upstream: ValidateWebhookURL). */
function validateWebhookUrl(url: string, path: string): FieldError[] {
  const parts = splitUrl(url);
  if ('problem' in parts) {
    return [required(path, `url must be a valid URL: parse ${quote(url)}: ${parts.problem}${formatHint}`)];
  }
  const { scheme, host, user, fragment, query } = parts;
  const errors: FieldError[] = [];
  if (scheme !== 'https')
    errors.push(invalid(path, scheme, `'https' is the only allowed URL scheme${formatHint}`));
  if (host === '') errors.push(invalid(path, host, `host must be specified${formatHint}`));
  if (user !== undefined) errors.push(invalid(path, user, 'user information is not permitted in the URL'));
  if (fragment) errors.push(invalid(path, fragment, 'fragments are not permitted in the URL'));
  if (query) errors.push(invalid(path, query, 'query parameters are not permitted in the URL'));
  return errors;
}

interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly user?: string;
  readonly query: string;
  readonly fragment: string;
}

/** Parses a URL; problems have the messages of Go's url.Parse. */
function splitUrl(text: string): UrlParts | { readonly problem: string } {
  if (/[\u0000-\u001f\u007f]/.test(text)) return { problem: 'net/url: invalid control character in URL' };
  const [withoutFragment = '', ...fragments] = text.split('#');
  const fragment = fragments.join('#');
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(withoutFragment)?.[1]?.toLowerCase() ?? '';
  if (scheme === '' && withoutFragment.startsWith(':')) return { problem: 'missing protocol scheme' };
  const [hierarchy = '', ...queries] = withoutFragment
    .slice(scheme === '' ? 0 : scheme.length + 1)
    .split('?');
  const query = queries.join('?');
  if (scheme === '' && /^[^/]*:/.test(hierarchy)) {
    return { problem: 'first path segment in URL cannot contain colon' };
  }
  if (!hierarchy.startsWith('//')) {
    return escapeProblem(hierarchy) ?? { scheme, host: '', query, fragment };
  }
  const authority = hierarchy.slice(2).split('/', 1)[0]!;
  const userEnd = authority.lastIndexOf('@');
  const host = authority.slice(userEnd + 1);
  const problem = hostProblem(host);
  if (problem !== undefined) return { problem };
  const user = userEnd < 0 ? {} : { user: authority.slice(0, userEnd) };
  return escapeProblem(hierarchy.slice(2 + authority.length)) ?? { scheme, host, ...user, query, fragment };
}

function escapeProblem(text: string): { readonly problem: string } | undefined {
  const badEscape = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(text);
  return badEscape ? { problem: `invalid URL escape ${quote(badEscape[0])}` } : undefined;
}

function hostProblem(host: string): string | undefined {
  if (host.startsWith('[') && !host.includes(']')) return "missing ']' in host";
  const port = /:([^:\]]*)$/.exec(host)?.[1];
  if (port !== undefined && !/^[0-9]*$/.test(port)) return `invalid port ${quote(`:${port}`)} after host`;
  const invalidCharacter = /[ "<>\\^`{|}]/.exec(host)?.[0];
  return invalidCharacter && `invalid character ${quote(invalidCharacter)} in host name`;
}

/** Upstream: ValidateWebhookService. */
function validateWebhookService(service: WebhookService, path: string): FieldError[] {
  const { name, namespace, port } = service;
  const errors: FieldError[] = [];
  // kube-apiserver swaps the two: it requires the name if the namespace is empty, and the other way round.
  if (namespace === '') errors.push(required(`${path}.name`, 'service name is required'));
  if (name === '') errors.push(required(`${path}.namespace`, 'service namespace is required'));
  for (const problem of port === undefined ? [] : portNumber(port)) {
    errors.push(invalid(`${path}.port`, port, `port is not valid: ${problem}`));
  }
  return [...errors, ...validateServicePath(service.path, `${path}.path`)];
}

function validateServicePath(urlPath: string | undefined, path: string): FieldError[] {
  if (urlPath === undefined || urlPath === '' || urlPath === '/') return [];
  if (urlPath === '//') return [invalid(path, urlPath, 'segment[0] may not be empty')];
  const errors: FieldError[] = [];
  if (!urlPath.startsWith('/')) errors.push(invalid(path, urlPath, "must start with a '/'"));
  const pathWithoutSlash = urlPath.slice(1);
  const segments = (pathWithoutSlash.endsWith('/') ? pathWithoutSlash.slice(0, -1) : pathWithoutSlash).split(
    '/',
  );
  for (const [i, segment] of segments.entries()) {
    if (segment === '') {
      errors.push(invalid(path, urlPath, `segment[${i}] may not be empty`));
      continue;
    }
    for (const problem of dnsSubdomain(segment)) {
      errors.push(invalid(path, urlPath, `segment[${i}]: ${problem}`));
    }
  }
  return errors;
}
