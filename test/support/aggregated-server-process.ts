// An extension API server in its own process; aggregated-server.ts starts it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { BackendStart, ProxiedRequest } from './aggregated-server.ts';

interface Thing {
  readonly apiVersion: string;
  readonly kind: string;
  metadata: {
    name: string;
    namespace: string;
    resourceVersion: string;
    uid: string;
    creationTimestamp: string;
  };
}

type Watcher = (type: string, thing: Thing) => void;

const seen: ProxiedRequest[] = [];
const things = new Map<string, Thing>();
const watchers = new Set<Watcher>();
let revision = 1;
/** Set by the test: responds with errors only, or not at all. */
let state: 'well' | 'failing' | 'silent' = 'well';

const verbs = ['create', 'delete', 'get', 'list', 'watch'];
/** The group that supports deletecollection. */
const collectedGroup = 'collected.example.com';
/** The group with aggregated discovery; the other one has only an APIResourceList. */
const aggregatedGroup = 'things.example.com';

/** Responds with 101 to a client that did not ask for it; without the headers of an upgrade if there is no protocol. */
function switchProtocols({ socket }: ServerResponse, protocol: string): void {
  const upgrade = protocol && `Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`;
  socket!.write(`HTTP/1.1 101 Switching Protocols\r\n${upgrade}\r\nhello`);
}

function answer(request: IncomingMessage, response: ServerResponse) {
  if (state === 'silent') return;
  const { pathname, searchParams } = new URL(request.url ?? '/', 'https://backend');
  const words = pathname.split('/').slice(1);
  const [root, group = '', version = '', ...below] = words;
  const last = words.at(-1);
  if (state === 'failing') return send(response, 500, failure(500, 'out of order'));
  if (pathname === '/apis') return sendGroups(request, response);
  if (root === 'openapi') return sendDescription(request, response, group);
  if (root !== 'apis' || version === '') return send(response, 404, failure(404, `no ${pathname}`));
  if (below.length === 0) return send(response, 200, resourceList(`${group}/${version}`));
  switch (last) {
    case 'echo':
      return void echo(request, response);
    case 'redirect':
      response.writeHead(302, { location: 'https://elsewhere.example.com/' }).end('that way');
      return;
    case 'hang':
      return;
    case 'cut':
      request.socket.destroy();
      return;
    case 'deaf':
      request.pause();
      return;
    case 'switches':
      return switchProtocols(response, searchParams.get('to') ?? '');
    case 'twice':
      response.writeHead(200, { 'audit-id': 'theirs', 'cache-control': 'public', 'x-own': 'yes' }).end('{}');
      return;
  }
  const namespace = below[0] === 'namespaces' ? (below[1] ?? '') : '';
  const [, name = ''] = namespace === '' ? below : below.slice(2);
  void serveThings(request, response, { apiVersion: `${group}/${version}`, namespace, name }, searchParams);
}

interface Target {
  readonly apiVersion: string;
  readonly namespace: string;
  readonly name: string;
}

async function serveThings(
  request: IncomingMessage,
  response: ServerResponse,
  { apiVersion, namespace, name }: Target,
  query: URLSearchParams,
): Promise<void> {
  const kind = 'Thing';
  const all = [...things.values()].filter(
    (one) => one.apiVersion === apiVersion && (namespace === '' || one.metadata.namespace === namespace),
  );
  const keyOf = (of: string) => `${apiVersion}/${namespace}/${of}`;
  if (request.method === 'POST') {
    const { metadata } = JSON.parse(await bodyOf(request)) as Thing;
    const own = { namespace, resourceVersion: String(++revision), uid: `uid-${revision}` };
    const thing: Thing = {
      apiVersion,
      kind,
      metadata: { ...metadata, ...own, creationTimestamp: '2026-01-01T00:00:00Z' },
    };
    things.set(keyOf(metadata.name), thing);
    for (const tell of watchers) tell('ADDED', thing);
    return send(response, 201, thing);
  }
  const found = things.get(keyOf(name));
  if (name !== '' && !found) return send(response, 404, failure(404, `things "${name}" not found`));
  if (request.method === 'DELETE' && found) {
    things.delete(keyOf(name));
    found.metadata = { ...found.metadata, resourceVersion: String(++revision) };
    for (const tell of watchers) tell('DELETED', found);
    return send(response, 200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' });
  }
  if (request.method === 'DELETE') {
    for (const { metadata } of all) things.delete(keyOf(metadata.name));
    return send(response, 200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' });
  }
  if (found) return send(response, 200, found);
  if (query.get('watch') !== null && query.get('watch') !== 'false') return watch(response, all, query);
  send(response, 200, {
    kind: 'ThingList',
    apiVersion,
    metadata: { resourceVersion: String(revision) },
    items: all,
  });
}

function watch(response: ServerResponse, all: readonly Thing[], query: URLSearchParams): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  const tell: Watcher = (type, object) => {
    response.write(`${JSON.stringify({ type, object })}\n`);
  };
  if (!query.get('resourceVersion')) for (const thing of all) tell('ADDED', thing);
  watchers.add(tell);
  response.once('close', () => watchers.delete(tell));
}

function sendGroups(request: IncomingMessage, response: ServerResponse) {
  if (!(request.headers.accept ?? '').includes('as=APIGroupDiscoveryList')) {
    return send(response, 404, failure(404, 'no /apis'));
  }
  const kind = { group: '', version: '', kind: 'Thing' };
  const resource = {
    resource: 'things',
    responseKind: kind,
    scope: 'Namespaced',
    singularResource: 'thing',
    shortNames: ['th'],
    verbs,
  };
  const document = {
    kind: 'APIGroupDiscoveryList',
    metadata: {},
    items: [
      {
        metadata: { name: aggregatedGroup },
        versions: [{ version: 'v1', resources: [resource], freshness: 'Current' }],
      },
    ],
  };
  const body = JSON.stringify(document);
  const type = (request.headers.accept ?? '').split(',')[0]!;
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
}

const resourceList = (groupVersion: string) => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion,
  resources: [
    {
      name: 'things',
      singularName: 'thing',
      namespaced: true,
      kind: 'Thing',
      shortNames: ['th'],
      verbs: groupVersion.startsWith(`${collectedGroup}/`) ? [...verbs, 'deletecollection'] : verbs,
    },
    { name: 'things/status', singularName: '', namespaced: true, kind: 'Thing', verbs: ['get'] },
  ],
});

function sendDescription(request: IncomingMessage, response: ServerResponse, which: string) {
  const name = `apis/${aggregatedGroup}/v1`;
  const thing = { type: 'object', description: 'A thing.', properties: { size: { type: 'integer' } } };
  if (which === 'v2') {
    const schema = { $ref: '#/definitions/com.example.Thing' };
    const responses = { 200: { description: 'OK', schema } };
    const get = {
      operationId: 'readThing',
      produces: ['application/json'],
      schemes: ['https'],
      tags: [],
      responses,
    };
    return send(response, 200, {
      swagger: '2.0',
      info: { title: 'things', version: 'v1' },
      paths: {
        [`/${name}/namespaces/{namespace}/things/{name}`]: { get },
        '/api/v1/namespaces': { get },
      },
      definitions: { 'com.example.Thing': thing, 'com.example.Unused': thing },
    });
  }
  if (request.url === '/openapi/v3') {
    const address = (of: string) => ({ serverRelativeURL: `/openapi/v3/${of}?hash=ABC` });
    return send(response, 200, { paths: { [name]: address(name), 'apis/apps/v1': address('apis/apps/v1') } });
  }
  send(response, 200, { openapi: '3.0.0', info: { title: 'things', version: 'v1' }, paths: {} });
}

const failure = (code: number, message: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  reason: code === 404 ? 'NotFound' : 'InternalError',
  message,
  code,
});

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request);
  send(response, 200, { ...shownOf(request), body });
}

const shownOf = (request: IncomingMessage): ProxiedRequest => ({
  method: request.method ?? '',
  url: request.url ?? '',
  headers: request.headers,
  groups: request.rawHeaders.filter((_, i) => /^x-remote-group$/i.test(request.rawHeaders[i - 1] ?? '')),
  client: ((request.socket as TLSSocket).getPeerCertificate().subject?.CN as string | undefined) ?? '',
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}

function send(response: ServerResponse, code: number, body: object): void {
  const text = JSON.stringify(body);
  response
    .writeHead(code, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text);
}

function upgrade(request: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => {});
  const last = (request.url ?? '').split('/').at(-1);
  switch (last) {
    case 'refuses':
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nno\n');
      return;
    case 'stays':
      // Responds with 200 instead of 101, and continues to listen.
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      socket.on('data', (data: Buffer) => {
        seen.push({ ...shownOf(request), url: `smuggled ${data}` });
      });
      return;
    case 'redirects':
      socket.end(
        'HTTP/1.1 302 Found\r\nLocation: https://elsewhere.example.com/\r\nContent-Length: 0\r\n\r\n',
      );
      return;
  }
  const { upgrade: protocol } = request.headers;
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`);
  socket.on('data', (data: Buffer) => socket.write(data.toString().toUpperCase()));
}

process.on('message', async (message: BackendStart | 'seen' | typeof state) => {
  if (message === 'seen') process.send?.(seen.splice(0));
  else if (typeof message === 'string') {
    state = message;
    process.send?.(null);
  } else {
    const { host, pairs } = message;
    const ports = await Promise.all(
      pairs.map(async ({ certificate, key }) => {
        const server = createServer(
          { cert: certificate, key, requestCert: true, rejectUnauthorized: false },
          (request, response) => {
            seen.push(shownOf(request));
            answer(request, response);
          },
        );
        server.on('upgrade', (request, socket) => {
          seen.push(shownOf(request));
          upgrade(request, socket);
        });
        await new Promise<void>((resolve) => server.listen(0, host, resolve));
        return (server.address() as AddressInfo).port;
      }),
    );
    process.send?.(ports);
  }
});
process.once('disconnect', () => process.exit());
