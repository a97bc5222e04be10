// Tests of the web console's server side: pages, headers, and the stream of watches.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { WebSocket } from 'ws';
import { defaultOptions } from '../../src/server/options.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import { runServer } from '../support/servers.ts';

const options = {
  ...defaultOptions,
  storage: 'memory' as const,
  certDir: undefined,
  httpPort: 0,
  securePort: 0,
};
const staticTokens = [
  { token: 'admin-token', user: 'admin', groups: ['system:masters'] },
  { token: 'jane-token', user: 'jane', groups: [] },
];
let server: RunningServer;
before(async () => {
  server = await runServer(options, { logger: silentLogger, staticTokens });
});
after(() => server.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { headers, redirect: 'manual' });

describe('pages of the console', () => {
  test('a browser that asks for / is sent to the console, an API client gets the index', async () => {
    const browser = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    assert.deepEqual([browser.status, browser.headers.get('location')], [302, '/console/']);
    for (const accept of ['*/*', 'application/json']) {
      const response = await get('/', { accept });
      assert.ok(((await response.json()) as { paths: string[] }).paths.includes('/api'), accept);
    }
    const bare = await get('/console');
    assert.deepEqual([bare.status, bare.headers.get('location')], [301, '/console/']);
  });

  test('every page has the security headers of the console', async () => {
    for (const path of ['/console/', '/console/api/info', '/console/missing', '/console']) {
      const { headers } = await get(path);
      assert.equal(
        headers.get('content-security-policy'),
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        path,
      );
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
      assert.equal(headers.get('x-frame-options'), 'DENY', path);
      assert.equal(headers.get('referrer-policy'), 'no-referrer', path);
      assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin', path);
      assert.equal(headers.get('set-cookie'), null, path);
    }
  });

  test('the page has no inline script or style, and loads only its own files, which are immutable and compressed', async () => {
    const page = await get('/console/', { 'accept-encoding': 'br' });
    const html = await page.text();
    assert.doesNotMatch(html, /<style|style=|<script(?![^>]*\ssrc=)|\son\w+=|https?:/);
    const files = [...html.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, file]) => file!);
    assert.equal(files.length, 2);
    for (const file of files) {
      const { status, headers } = await get(`/console/${file}`, { 'accept-encoding': 'gzip, br' });
      assert.equal(status, 200);
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(headers.get('content-encoding'), 'br');
      const again = await get(`/console/${file}`, { 'if-none-match': headers.get('etag')! });
      assert.equal(again.status, 304);
    }
    assert.equal(page.headers.get('cache-control'), 'no-cache');
  });

  test('paths beside the files of the console are not found', async () => {
    for (const path of [
      'manifest.json',
      '..%2fmanifest.json',
      '%2e%2e/package.json',
      'assets/',
      'constructor',
      '__proto__',
    ]) {
      assert.equal((await get(`/console/${path}`)).status, 404, path);
    }
    const post = await fetch(`${server.url}/console/`, { method: 'POST', body: '{}' });
    assert.equal(post.status, 405);
  });

  test('without the console its paths are those of any unknown path', async () => {
    const without = await runServer(
      { ...options, securePort: undefined, console: false },
      { logger: silentLogger },
    );
    try {
      assert.equal((await fetch(`${without.url}/console/`)).status, 404);
      const index = await fetch(`${without.url}/`, { headers: { accept: 'text/html' } });
      assert.deepEqual([index.status, index.redirected], [200, false]);
    } finally {
      await without.stop();
    }
  });
});

interface StreamOptions {
  readonly origin?: string;
  readonly token?: string;
  readonly protocols?: string[];
  readonly secure?: boolean;
}

function connect({ origin, token, protocols, secure = false }: StreamOptions = {}): WebSocket {
  const base = secure ? server.secureUrl! : server.url;
  const bearer =
    token && `base64url.bearer.authorization.orch.io.${Buffer.from(token).toString('base64url')}`;
  return new WebSocket(
    `${base.replace('http', 'ws')}/console/api/watch`,
    protocols ?? ['v1.console.orch', ...(bearer ? [bearer] : [])],
    { origin: origin ?? base, rejectUnauthorized: false },
  );
}

/** The status code of a handshake that the server rejects. */
function rejectionOf(socket: WebSocket): Promise<number> {
  return new Promise((resolve, reject) => {
    socket.on('error', () => {});
    socket.once('unexpected-response', (_, response) => resolve(response.statusCode ?? 0));
    socket.once('open', () => reject(new Error('the stream is open')));
  });
}

interface StreamMessage {
  readonly id: number;
  readonly events?: readonly {
    readonly type: string;
    readonly object: { readonly metadata: { readonly name: string } };
  }[];
  readonly end?: { readonly code: number; readonly message: string };
}

/** Opens a stream, and returns a reader of its messages. */
async function open(streamOptions: StreamOptions = {}) {
  const socket = connect(streamOptions);
  const received: StreamMessage[] = [];
  const waiting: ((message: StreamMessage) => void)[] = [];
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as StreamMessage;
    const next = waiting.shift();
    if (next) next(message);
    else received.push(message);
  });
  await once(socket, 'open');
  return {
    socket,
    send: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    next: () => {
      const message = received.shift();
      return message
        ? Promise.resolve(message)
        : new Promise<StreamMessage>((resolve) => waiting.push(resolve));
    },
  };
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const watchFrom = (revision: string) => `${configMaps}?watch=true&resourceVersion=${revision}`;

async function create(name: string): Promise<string> {
  const response = await fetch(`${server.url}${configMaps}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { name } }),
  });
  return ((await response.json()) as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}

describe('the stream of watches', () => {
  test('carries several watches, each ended by itself', async () => {
    const { socket, send, next } = await open();
    const revision = await create('stream-start');
    send({ type: 'subscribe', id: 1, path: watchFrom(revision) });
    send({ type: 'subscribe', id: 2, path: `${watchFrom(revision)}&fieldSelector=metadata.name%3Dstream-b` });
    await create('stream-a');
    const first = await next();
    assert.deepEqual([first.id, first.events?.[0]?.object.metadata.name], [1, 'stream-a']);
    send({ type: 'unsubscribe', id: 1 });
    await create('stream-b');
    // A message of the first watch may have been under way.
    let second = await next();
    while (second.id === 1) second = await next();
    assert.deepEqual([second.id, second.events?.[0]?.object.metadata.name], [2, 'stream-b']);
    socket.close();
  });

  test('runs each watch as the user of the token, and reports what the user may not watch', async () => {
    const { socket, send, next } = await open({ token: 'jane-token', secure: true });
    send({ type: 'subscribe', id: 1, path: watchFrom('0') });
    const { end } = await next();
    assert.equal(end?.code, 403);
    assert.match(end?.message ?? '', /User "jane" cannot watch resource "configmaps"/);
    send({
      type: 'subscribe',
      id: 2,
      path: watchFrom('0'),
      impersonateUser: 'admin',
      impersonateGroups: ['system:masters'],
    });
    const escalation = await next();
    assert.deepEqual([escalation.id, escalation.end?.code], [2, 403]);
    socket.close();
    const admin = await open({ token: 'admin-token', secure: true });
    admin.send({ type: 'subscribe', id: 1, path: watchFrom('0'), impersonateUser: 'jane' });
    assert.match((await admin.next()).end?.message ?? '', /User "jane" cannot watch/);
    admin.socket.close();
  });

  test('a page of another origin cannot open it, nor a handshake without an origin or with a wrong token', async () => {
    assert.equal(
      await rejectionOf(connect({ origin: 'https://evil.example.com', secure: true, token: 'admin-token' })),
      403,
    );
    assert.equal(await rejectionOf(connect({ origin: 'https://evil.example.com' })), 403);
    assert.equal(await rejectionOf(connect({ origin: 'null', secure: true })), 403);
    assert.equal(await rejectionOf(connect({ secure: true, token: 'wrong' })), 401);
    assert.equal(await rejectionOf(connect({ protocols: ['other'] })), 400);
    assert.equal((await get('/console/api/watch')).status, 400);
  });

  test('serves watches only, and at most 64 at a time', async () => {
    const { socket, send, next } = await open();
    for (const [id, path] of [
      configMaps,
      '/metrics',
      '/api/v1/namespaces/default/pods/a/exec?watch=true',
    ].entries()) {
      send({ type: 'subscribe', id, path });
      assert.equal((await next()).end?.code, 400, path);
    }
    const revision = await create('stream-bound');
    for (let id = 100; id <= 164; id++) send({ type: 'subscribe', id, path: watchFrom(revision) });
    const { id, end } = await next();
    assert.deepEqual([id, end?.code], [164, 429]);
    socket.close();
  });

  test('a client that breaks the protocol is disconnected', async () => {
    const revision = await create('stream-protocol');
    const watch = { type: 'subscribe', id: 1, path: watchFrom(revision) };
    for (const messages of [
      ['no json'],
      [{ type: 'subscribe', id: -1, path: '/' }],
      [{ ...watch, path: `${configMaps}?watch=true HTTP/1.1` }],
      [{ ...watch, accept: 'application/json\r\nImpersonate-User: admin' }],
      [{ ...watch, impersonateUser: 'a\nb' }],
      [watch, watch],
    ]) {
      const { socket, send } = await open();
      for (const message of messages) send(message);
      const [code] = await once(socket, 'close');
      assert.equal(code, 1008, JSON.stringify(messages));
    }
    const { socket, send } = await open();
    send('x'.repeat(20_000));
    assert.equal((await once(socket, 'close'))[0], 1009);
  });
});
