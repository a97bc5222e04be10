import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { configMapPath, HttpFixture, type PortsClient, untilClosed } from '../support/http.ts';
import { RealServer, tokens } from './real-server.ts';

const server = new RealServer();
const full = new HttpFixture({ flowController: { admit: () => 1 } });
const hasty = new HttpFixture({ connectionLimits: { maxLingerBytes: 1024 * 1024 } });
const impatient = new HttpFixture({ connectionLimits: { lingerTimeoutMs: 200 } });

const tries = 3;
/** Chunks of 64 KiB: far more than any limit. */
const mostChunks = 20_000;
const configMaps = '/api/v1/namespaces/default/configmaps';

interface Refusal {
  readonly code: number;
  readonly at: PortsClient;
  readonly size: number;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const json = { 'content-type': 'application/json' };
const as = (token: string) => ({ ...json, authorization: `Bearer ${token}` });
// 180 KB that HPACK compresses to fit the CONTINUATION frames that nghttp2 accepts.
const tooMany = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`x-${i}`, 'a'.repeat(200)]));

const refusals: readonly Refusal[] = [
  { code: 401, at: server, size: 3_670_016, headers: as('wrong') },
  { code: 403, at: server, size: 3_670_016, headers: as(tokens.nobody) },
  { code: 413, at: server, size: 3_670_016 },
  { code: 413, at: server, size: 8_000_000 },
  { code: 415, at: server, size: 2_500_000, headers: { ...as(tokens.admin), 'content-type': 'text/nope' } },
  { code: 429, at: full, size: 3_670_016, path: configMapPath },
  { code: 431, at: server, size: 3_670_016, headers: { ...as(tokens.admin), ...tooMany } },
];

/** Writes the whole request before it starts to read, as simple clients do. */
async function writeThenRead(socket: Socket, parts: readonly (string | Buffer)[]): Promise<string> {
  socket.pause();
  let problem: Error | undefined;
  socket.on('error', (error) => {
    problem = error;
  });
  for (const part of parts) await new Promise((resolve) => socket.write(part, resolve));
  assert.equal(problem, undefined, `the connection broke while the client was sending: ${problem}`);
  const text = untilClosed(socket);
  socket.resume();
  socket.end();
  return text;
}

describe('an early rejection reaches a client that sends its whole request before it reads', () => {
  for (const { code, at, size, path = configMaps, headers = as(tokens.admin) } of refusals) {
    const fields = Object.entries({ host: '127.0.0.1', ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const body = Buffer.alloc(size, 32);
    const announced = [`content-length: ${size}\r\n\r\n`, body];
    const chunked = [`transfer-encoding: chunked\r\n\r\n${size.toString(16)}\r\n`, body, '\r\n0\r\n\r\n'];
    for (const [how, rest] of [['announced', announced] as const, ['in chunks', chunked] as const]) {
      for (const connection of ['close', 'keep-alive']) {
        test(`${code} for ${size} bytes ${how}, over TLS with connection: ${connection}`, async () => {
          const head = `POST ${path} HTTP/1.1\r\n${fields.join('')}connection: ${connection}\r\n`;
          for (let i = 0; i < tries; i++) {
            const text = await writeThenRead(await at.raw(), [head, ...rest]);
            assert.match(text, new RegExp(`^HTTP/1\\.1 ${code} `));
          }
        });
      }
    }

    test(`${code} for ${size} bytes over HTTP/2`, async () => {
      for (let i = 0; i < tries; i++) {
        const session = sessionTo(at);
        assert.equal(await codeOverHttp2(session, { ...headers, ':path': path }, body), code);
        session.destroy();
      }
    });
  }

  test('413 over plain HTTP with connection: close', async () => {
    const host = `127.0.0.1:${server.plainPort}`;
    const head = `POST ${configMaps} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\nconnection: close\r\n`;
    for (let i = 0; i < tries; i++) {
      const parts = [head, 'content-length: 8000000\r\n\r\n', Buffer.alloc(8_000_000, 32)];
      assert.match(await writeThenRead(await server.raw(true), parts), /^HTTP\/1\.1 413 /);
    }
  });

  test('431 for headers above the limit', async () => {
    const head = `POST ${configMaps} HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(3_000_000)}\r\ncontent-length: 3670016\r\n\r\n`;
    for (let i = 0; i < tries; i++) {
      const text = await writeThenRead(await server.raw(), [head, Buffer.alloc(3_670_016, 32)]);
      assert.deepEqual(text.match(/HTTP\/1\.1 \d{3}/g), ['HTTP/1.1 431']);
    }
  });

  test('a connection with a small rejected body serves the next request', async () => {
    const socket = await server.raw();
    const head = `host: x\r\nauthorization: Bearer ${tokens.admin}\r\ncontent-type: application/json\r\n`;
    const text = await writeThenRead(socket, [
      `POST ${configMaps} HTTP/1.1\r\n${head}content-length: 3670016\r\n\r\n`,
      Buffer.alloc(3_670_016, 32),
      `GET /version HTTP/1.1\r\n${head}connection: close\r\n\r\n`,
    ]);
    assert.deepEqual(text.match(/HTTP\/1\.1 \d{3}/g), ['HTTP/1.1 413', 'HTTP/1.1 200']);
  });
});

describe('a client that does not stop sending is disconnected', () => {
  for (const [what, at] of [['by bytes', hasty] as const, ['by time', impatient] as const]) {
    for (const connection of ['close', 'keep-alive']) {
      test(`${what}, with connection: ${connection}`, async () => {
        const socket = await at.raw();
        const text = untilClosed(socket);
        socket.write(
          `POST ${configMapPath} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer wrong\r\nconnection: ${connection}\r\ntransfer-encoding: chunked\r\n\r\n`,
        );
        const chunk = Buffer.concat([
          Buffer.from('10000\r\n'),
          Buffer.alloc(0x10000, 32),
          Buffer.from('\r\n'),
        ]);
        for (let i = 0; i < mostChunks && !socket.destroyed; i++) {
          await new Promise((resolve) => socket.write(chunk, resolve));
        }
        assert.ok(socket.destroyed);
        assert.match(await text, /^HTTP\/1\.1 401 /);
      });
    }

    test(`${what}, over HTTP/2`, async () => {
      const session = sessionTo(at);
      const stream = session.request({ ...as('wrong'), ':method': 'POST', ':path': configMapPath });
      stream.on('error', () => {});
      const [answered] = await once(stream, 'response');
      assert.equal(answered[':status'], 401);
      stream.resume();
      const closed = once(stream, 'close');
      for (let i = 0; i < mostChunks && !stream.destroyed && !stream.closed; i++) {
        await new Promise((resolve) => stream.write(Buffer.alloc(0x10000, 32), resolve));
      }
      assert.ok(stream.closed);
      await closed;
      session.destroy();
    });
  }
});

function sessionTo(at: PortsClient): ClientHttp2Session {
  const session = connectHttp2(`https://127.0.0.1:${at.securePort}`, {
    ca: at.ca,
    // Node's client refuses to send large requests unless told otherwise.
    maxSessionMemory: 1_000,
    maxSendHeaderBlockLength: 1024 * 1024,
  });
  session.on('error', () => {});
  return session;
}

async function codeOverHttp2(
  session: ClientHttp2Session,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Promise<number> {
  const stream = session.request({ ...headers, ':method': 'POST' });
  stream.pause();
  let code = 0;
  stream.once('response', (answered) => {
    code = Number(answered[':status']);
  });
  const closed = once(stream, 'close');
  await new Promise((resolve, reject) => {
    stream.once('error', reject);
    stream.end(body, resolve as () => void);
  });
  stream.resume();
  await closed;
  return code;
}
