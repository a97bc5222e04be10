// What a web page in a browser on the same machine could do to a development server, and a response to a browser.
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, test } from 'node:test';
import WebSocket from 'ws';
import { untilClosed } from '../support/http.ts';
import { RealServer, tokens } from './real-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const server = new RealServer({}, async (server) => {
  await server.post(configMaps, { metadata: { name: 'a' } });
});

const local = () => `127.0.0.1:${server.plainPort}`;
const plain = (path: string, headers: Record<string, string>, method = 'GET', body?: string) =>
  server.ask(path, { plain: true, method, headers, ...(body !== undefined && { body }) });

/** CORS headers, which would let a page read a response. */
function isOpened(headers: http.IncomingHttpHeaders): boolean {
  return Object.keys(headers).some((name) => name.startsWith('access-control-'));
}

describe('a web page cannot use the plain port of a development server', () => {
  const write = JSON.stringify({ metadata: { name: 'from-a-page' } });

  test('by DNS rebinding', async () => {
    const port = server.plainPort;
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      `localhost.evil.example:${port}`,
      `127.0.0.1.nip.io:${port}`,
      `localhost.:${port}`,
      `0.0.0.0:${port}`,
      `[::]:${port}`,
      `127.1:${port}`,
      `2130706433:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `user@127.0.0.1:${port}`,
      '127.0.0.1:1',
      '127.0.0.1',
      'localhost',
    ]) {
      const answer = await plain(configMaps, { host });
      assert.ok(answer.code === 403 || answer.code === 400, `${host}: ${answer.code}`);
      assert.ok(!answer.text.includes('ConfigMapList'));
    }
  });

  test('by a simple request without preflight', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      for (const origin of [
        'https://evil.example',
        'null',
        `http://evil.example:${server.plainPort}`,
        `https://${local()}`,
      ]) {
        const headers = { origin, 'content-type': type, 'content-length': String(write.length) };
        assert.equal((await plain(configMaps, headers, 'POST', write)).code, 403, `${type} from ${origin}`);
      }
    }
    assert.equal((await server.ask(`${configMaps}/from-a-page`)).code, 404);
  });

  test('by an image, a frame or a navigation from another site', async () => {
    for (const mode of ['no-cors', 'navigate', 'cors', 'websocket']) {
      for (const site of ['cross-site', 'same-site']) {
        const { code } = await plain(configMaps, { 'sec-fetch-site': site, 'sec-fetch-mode': mode });
        assert.equal(code, 403);
      }
    }
  });

  test('by a preflight: no response allows it', async () => {
    for (const path of [configMaps, '/version', '/metrics', '/nothing']) {
      const preflight = await plain(
        path,
        {
          origin: 'https://evil.example',
          'access-control-request-method': 'PUT',
          'access-control-request-headers': 'content-type',
          'access-control-request-private-network': 'true',
        },
        'OPTIONS',
      );
      assert.equal(preflight.code, 403);
      assert.ok(!isOpened(preflight.headers));
      const secured = await server.ask(path, {
        method: 'OPTIONS',
        token: undefined,
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'PUT' },
      });
      assert.ok(secured.code >= 400 && !isOpened(secured.headers));
    }
    const own = await plain(configMaps, { origin: `http://${local()}` });
    assert.ok(own.code === 200 && !isOpened(own.headers));
  });

  test('by a WebSocket', async () => {
    for (const origin of ['https://evil.example', 'null', `https://evil.example:${server.plainPort}`]) {
      const socket = new WebSocket(`ws://${local()}${configMaps}?watch=1`, { origin });
      const code = await new Promise((resolve) => {
        socket.once('unexpected-response', (_, response) => resolve(response.statusCode));
        socket.once('open', () => resolve('open'));
        socket.once('error', () => {});
      });
      assert.equal(code, 403, origin);
      socket.terminate();
    }
  });

  test('by an upgrade to anything else, or an old protocol without a host', async () => {
    const socket = await server.raw(true);
    socket.write(`GET ${configMaps} HTTP/1.0\r\n\r\n`);
    assert.match(await untilClosed(socket), /^HTTP\/1\.[01] 403 /);
    const unnamed = await server.raw(true);
    unnamed.write(`GET ${configMaps} HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n`);
    assert.match(await untilClosed(unnamed), /^HTTP\/1\.1 403 /);
    const upgrading = await server.raw(true);
    upgrading.write(
      `GET ${configMaps} HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
    );
    assert.match(await untilClosed(upgrading), /^HTTP\/1\.1 403 /);
  });

  test('by two Host headers', async () => {
    const socket = await server.raw(true);
    socket.write(
      `GET ${configMaps} HTTP/1.1\r\nHost: evil.example\r\nHost: ${local()}\r\nConnection: close\r\n\r\n`,
    );
    assert.match(await untilClosed(socket), /^HTTP\/1\.1 40[03] /);
  });

  test('it listens on loopback only', async () => {
    const { ownAddress } = await import('../support/kubelet.ts');
    if (ownAddress === undefined) return;
    const code = await new Promise((resolve) => {
      http
        .get({ host: ownAddress, port: server.plainPort, path: '/version' }, (response) =>
          resolve(response.statusCode),
        )
        .once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    assert.equal(code, 'ECONNREFUSED');
  });
});

describe('no response is executed by a browser', () => {
  const markup = '%3Cscript%3Ealert(1)%3C%2Fscript%3E';

  for (const path of [
    `/${markup}`,
    `/api/${markup}`,
    `/apis/${markup}`,
    `/apis/${markup}/v1`,
    `/healthz/${markup}`,
    `/openapi/v3/${markup}`,
    `/api/v1/watch?${markup}`,
    `${configMaps}/${markup}`,
    `/api/v1/namespaces/${markup}/configmaps/x`,
    `${configMaps}?labelSelector=${markup}`,
    `${configMaps}?fieldSelector=${markup}`,
    `${configMaps}?continue=${markup}`,
    `${configMaps}?limit=${markup}`,
    `${configMaps}?resourceVersion=${markup}`,
    `/api/v1/namespaces/default/pods/x/log?tailLines=${markup}`,
  ]) {
    test(`${path} is not HTML`, async () => {
      for (const token of [tokens.admin, tokens.nobody, undefined]) {
        const { headers } = await server.ask(path, { token, headers: { accept: 'text/html,*/*;q=0.8' } });
        const type = String(headers['content-type'] ?? '');
        assert.match(type, /^(application\/json|text\/plain|$)/);
        // A browser would sniff the content type of plain text.
        if (type.startsWith('text/plain')) assert.equal(headers['x-content-type-options'], 'nosniff');
      }
    });
  }

  test('no path redirects to another host', async () => {
    for (const path of [
      '//evil.example',
      '//evil.example/%2f..',
      '/\\evil.example',
      '/%5cevil.example',
      '///evil.example/',
      '/http://evil.example',
      '/?next=//evil.example',
    ]) {
      const { code, headers } = await server.ask(path);
      assert.ok(code < 300 || code >= 400, `${path}: ${code}`);
      assert.equal(headers.location, undefined);
    }
  });
});

describe('client input cannot inject response headers', () => {
  const split = 'x\r\nSet-Cookie: a=b\r\n\r\n<html>';

  test('an Audit-Id is returned as sent, or replaced, and only once', async () => {
    for (const id of ['plain-id', 'a b', 'x'.repeat(10_000), '"\\', '<script>']) {
      const { headers } = await server.ask('/version', { headers: { 'audit-id': id } });
      assert.equal(typeof headers['audit-id'], 'string');
      assert.ok(String(headers['audit-id']).length <= Math.max(36, id.length));
    }
    for (const byte of ['\r', '\n', '\0']) {
      const socket = await server.raw();
      socket.write(
        `GET /version HTTP/1.1\r\nHost: x\r\nAudit-ID: a${byte}Set-Cookie: b\r\nConnection: close\r\n\r\n`,
      );
      const text = await untilClosed(socket);
      assert.ok(!/^set-cookie:/im.test(text), JSON.stringify(text.slice(0, 300)));
    }
  });

  test('warnings stay in their header', async () => {
    const body = JSON.stringify({ metadata: { name: 'warned' }, [split]: 1, 'ü\u2028\u0085': 2 });
    const { code, headers, text } = await server.post(`${configMaps}?fieldValidation=Warn&dryRun=All`, body);
    assert.equal(code, 201, text);
    assert.equal(headers['set-cookie'], undefined);
    assert.match(String(headers.warning), /^299 - "unknown field/);
  });

  test('names in messages and redirects inject no headers', async () => {
    const escaped = encodeURIComponent(split);
    for (const path of [
      `${configMaps}/${escaped}`,
      `/${escaped}`,
      `${configMaps}?labelSelector=${escaped}`,
      `/api/v1/namespaces/default/pods/${escaped}/proxy`,
      `/api/v1/namespaces/default/services/${escaped}/proxy/`,
    ]) {
      const { headers } = await server.ask(path);
      assert.equal(headers['set-cookie'], undefined);
    }
  });
});
