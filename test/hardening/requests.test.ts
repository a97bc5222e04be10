import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { ambiguousRequests } from '../support/ambiguous-requests.ts';
import { HttpFixture, shortTimeouts, untilClosed } from '../support/http.ts';
import { RealServer, tokens } from './real-server.ts';

const server = new RealServer();
const strict = new HttpFixture({ connectionLimits: shortTimeouts });
const path = '/api/v1/namespaces';
const head = `Host: x\r\nAuthorization: Bearer ${tokens.admin}\r\nContent-Type: application/json\r\n`;

/** Sends bytes verbatim; resolves to everything received until the connection is closed. */
async function exchange(bytes: string): Promise<string> {
  const socket = await server.raw();
  socket.write(bytes, 'latin1');
  return untilClosed(socket);
}

const answersIn = (text: string) => text.match(/HTTP\/1\.1 \d{3}/g) ?? [];

describe('an ambiguous request (request smuggling) is rejected, and nothing after it is read', () => {
  const smuggled = `DELETE ${path}/default HTTP/1.1\r\n${head}\r\n`;
  for (const [what, request] of Object.entries(ambiguousRequests)) {
    test(what, async () => {
      const text = await exchange(`POST ${path} HTTP/1.1\r\n${head}${request}${smuggled}`);
      assert.deepEqual(answersIn(text), ['HTTP/1.1 400'], text);
      assert.match(text, /\r\nConnection: close\r\n/i);
      assert.equal((await server.ask(`${path}/default`)).code, 200);
    });
  }

  for (const method of ['GET', 'POST']) {
    for (const encoding of ['xchunked', 'chunked, identity', 'identity']) {
      test(`the transfer encoding ${encoding} on ${method}`, async () => {
        const text = await exchange(
          `${method} ${path} HTTP/1.1\r\n${head}Transfer-Encoding: ${encoding}\r\n\r\n0\r\n\r\n${smuggled}`,
        );
        assert.equal(answersIn(text).length, 1, text);
        // Node's parser rejects an encoding that starts with chunked itself.
        assert.match(text, encoding.startsWith('chunked') ? /^HTTP\/1\.1 400 / : /^HTTP\/1\.1 501 /);
        assert.match(text, /\r\nConnection: close\r\n/i);
        assert.equal((await server.ask(`${path}/default`)).code, 200);
      });
    }
  }

  for (const [what, request] of Object.entries({
    'a space in the target': `GET ${path} /x HTTP/1.1\r\n${head}\r\n`,
    'an unknown protocol': `GET ${path} HTCPCP/1.0\r\n${head}\r\n`,
    'HTTP/2 in plain text': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'an unknown method': `BREW ${path} HTTP/1.1\r\n${head}\r\n`,
    'a null in the target': `GET ${path}\0 HTTP/1.1\r\n${head}\r\n`,
    'no host': `GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`,
  })) {
    test(what, async () => {
      assert.deepEqual(answersIn(await exchange(request)), ['HTTP/1.1 400']);
    });
  }

  test('chunk extensions beyond a limit', async () => {
    const text = await exchange(
      `POST ${path} HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(64 * 1024)}\r\n{}\r\n0\r\n\r\n`,
    );
    assert.match(text, /^HTTP\/1\.1 4(00|13) /);
  });

  test('trailers do not become headers', async () => {
    const trailer = `Authorization: Bearer ${tokens.admin}\r\n`;
    const body = '{"metadata":{"name":"by-trailer"}}';
    const length = body.length.toString(16);
    const text = await exchange(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTrailer: Authorization\r\nTransfer-Encoding: chunked\r\n\r\n${length}\r\n${body}\r\n0\r\n${trailer}\r\n`,
    );
    assert.match(text, /^HTTP\/1\.1 403 /);
    assert.equal((await server.ask(`${path}/by-trailer`)).code, 404);
  });
});

describe('headers', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: y\r\n`).join('');

  test('up to the limit all headers are read', async () => {
    const text = await exchange(
      `GET ${path} HTTP/1.1\r\nConnection: close\r\nHost: x\r\n${many(900)}Authorization: Bearer ${tokens.admin}\r\n\r\n`,
    );
    assert.match(text, /^HTTP\/1\.1 200 /);
  });

  test('above the limit the request is rejected; no header, such as Impersonate-User, is dropped', async () => {
    const text = await exchange(
      `GET ${path} HTTP/1.1\r\n${head}${many(2_000)}Impersonate-User: nobody\r\n\r\n`,
    );
    assert.deepEqual(answersIn(text), ['HTTP/1.1 431']);
  });

  test('above the limit an upgrade is rejected', async () => {
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
    const text = await exchange(`GET ${path}?watch=1 HTTP/1.1\r\n${head}${upgrade}${many(2_000)}\r\n`);
    assert.equal(text, '');
  });

  test('of two credentials the first is used', async () => {
    const two = (first: string, second: string) =>
      exchange(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${first}\r\nAuthorization: Bearer ${second}\r\n\r\n`,
      );
    assert.match(await two(tokens.nobody, tokens.admin), /^HTTP\/1\.1 403 /);
    assert.match(await two('wrong', tokens.admin), /^HTTP\/1\.1 401 /);
  });

  test('an unsupported upgrade is a plain request, and hides no second request', async () => {
    const upgrade = 'Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\n';
    const hidden = `GET ${path}/default HTTP/1.1\r\n${head}\r\n`;
    const text = await exchange(`GET ${path} HTTP/1.1\r\n${head}${upgrade}\r\n${hidden.repeat(100)}`);
    assert.equal(answersIn(text).length, 1);
  });
});

describe('a slow client', () => {
  /** Writes a byte now and then until the connection is closed. */
  async function dribble(socket: Socket, text: string): Promise<string> {
    let at = 0;
    const dribbling = setInterval(() => socket.write(text[at++ % text.length]!), 200);
    const response = await untilClosed(socket);
    clearInterval(dribbling);
    return response;
  }

  test('that sends its request line slowly is disconnected, with and without TLS', async () => {
    for (const plain of [true, false]) {
      assert.match(
        await dribble(await strict.raw(plain), 'GET /aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'),
        /^HTTP\/1\.1 408 /,
      );
    }
  });

  test('that sends chunks slowly is disconnected', async () => {
    const socket = await strict.raw(false);
    socket.write(`POST ${path} HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n`);
    await dribble(socket, '1\r\n \r\n');
  });

  test('that does not start the TLS handshake is disconnected', async () => {
    for (const first of ['', '\x16\x03\x01', 'GET / HTTP/1.1\r\n\r\n']) {
      const socket = connect(strict.securePort, '127.0.0.1');
      socket.on('error', () => {});
      socket.resume();
      if (first) socket.write(first, 'latin1');
      await once(socket, 'close');
    }
  });

  test('in great number does not delay others', async () => {
    const idle = await Promise.all(Array.from({ length: 300 }, () => server.raw(true)));
    for (const socket of idle) socket.write('GET /version HTTP/1.1\r\nX: ');
    assert.equal((await server.ask(path)).code, 200);
    for (const socket of idle) socket.destroy();
  });
});

describe('a body', () => {
  test('in several TLS records behind a response that is not read yet arrives whole', async () => {
    const configMaps = `${path}/default/configmaps`;
    const large = { metadata: { name: 'large-response' }, data: { key: 'x'.repeat(900_000) } };
    assert.equal((await server.post(configMaps, large)).code, 201);
    const data = Object.fromEntries(
      Array.from({ length: 4_000 }, (_, index) => [`key-${index}`, `${index}`]),
    );
    const body = JSON.stringify({ metadata: { name: 'in-records' }, data });
    const socket = await server.raw();
    const get = `GET ${configMaps}/large-response HTTP/1.1\r\n${head}\r\n`;
    socket.write(get.repeat(20));
    await once(socket, 'readable');
    socket.write(
      `POST ${configMaps} HTTP/1.1\r\n${head}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const text = await untilClosed(socket);
    assert.deepEqual(answersIn(text), [...Array<string>(20).fill('HTTP/1.1 200'), 'HTTP/1.1 201']);
    assert.deepEqual(JSON.parse((await server.ask(`${configMaps}/in-records`)).text).data, data);
  });

  test('with Content-Encoding is not decompressed', async () => {
    const { gzipSync } = await import('node:zlib');
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, 0x20));
    const { code, text } = await server.post(path, bomb, { headers: { 'content-encoding': 'gzip' } });
    assert.equal(code, 400, text);
  });

  test('of a GET or a rejected request is not kept', async () => {
    const before = process.memoryUsage().rss;
    const body = Buffer.alloc(8 * 1024 * 1024, 0x20);
    for (let i = 0; i < 10; i++) {
      const refused = await server.post(path, body, { token: tokens.nobody });
      assert.equal(refused.code, 403);
      assert.equal((await server.send('GET', `${path}/default`, body)).code, 200);
    }
    const grown = process.memoryUsage().rss - before;
    assert.ok(grown < 160 * 1024 * 1024, `${Math.round(grown / 1024 / 1024)} MiB more`);
  });
});
