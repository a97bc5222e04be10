import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { configMapPath, HttpFixture, shortTimeouts, untilClosed } from '../support/http.ts';
import {
  connectionFloods,
  emptyData,
  endlessHeaders,
  hpackBomb,
  rapidResets,
} from '../support/http2-floods.ts';
import {
  endHeaders,
  endStream,
  flood,
  frame,
  frameType,
  headerBlock,
  preface,
} from '../support/http2-frames.ts';
import { RealServer, requestOver, tokens } from './real-server.ts';

const server = new RealServer();
const strict = new HttpFixture({ connectionLimits: shortTimeouts });
const object = '/api/v1/namespaces/default';
const authorization = `Bearer ${tokens.admin}`;

/** A raw HTTP/2 connection. Received bytes are discarded, unless the test leaves them unread. */
async function bare(of: RealServer | HttpFixture = server, reading = true): Promise<Socket> {
  const socket = await of.raw(false, 'h2');
  socket.on('error', () => {});
  socket.write(preface());
  if (reading) socket.resume();
  return socket;
}

/** Resolves once the server has closed the connection. */
const gone = (socket: Socket) => (socket.destroyed ? Promise.resolve() : once(socket, 'close'));

/** Sends the same frames repeatedly; other clients are served meanwhile and afterwards. */
async function withstands(what: string, frames: Buffer, bytes: number, reading = true): Promise<void> {
  const before = process.memoryUsage().rss;
  const socket = await bare(server, reading);
  const session = server.session();
  const flooding = flood(socket, frames, Math.ceil(bytes / frames.length));
  const answers: number[] = [];
  for (let i = 0; i < 10; i++) answers.push((await requestOver(session, { ':path': object })).code);
  await Promise.race([flooding, gone(socket)]);
  answers.push((await requestOver(session, { ':path': object })).code);
  socket.destroy();
  session.destroy();
  assert.deepEqual(new Set(answers), new Set([200]), what);
  const grown = process.memoryUsage().rss - before;
  assert.ok(grown < 192 * 1024 * 1024, `${what}: ${Math.round(grown / 1024 / 1024)} MiB more`);
}

/** Resolves once the server has read all frames up to now: it acknowledges a PING behind them. */
function acknowledgement(socket: Socket): Promise<void> {
  const expected = frame(frameType.ping, 1, 0, Buffer.from('received'));
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const onClose = () => reject(new Error('the server closed the connection'));
    const onData = (data: Buffer) => {
      received = Buffer.concat([received, data]);
      if (!received.includes(expected)) return;
      socket.off('data', onData).off('close', onClose);
      resolve();
    };
    socket.on('data', onData).once('close', onClose);
    socket.write(frame(frameType.ping, 0, 0, Buffer.from('received')));
  });
}

describe('other clients are served during a flood on one HTTP/2 connection', () => {
  const bytes = 2 * 1024 * 1024;
  for (const [what, frames] of Object.entries(connectionFloods)) {
    test(what, () => withstands(what, frames, bytes));
    test(`${what} of a client that reads nothing`, () => withstands(what, frames, bytes, false));
  }
  test('empty DATA frames', () => withstands('empty data', emptyData(object, authorization), bytes));
});

test('endless CONTINUATION frames close the connection', async () => {
  const socket = await bare();
  const { start, more } = endlessHeaders(object);
  socket.write(start);
  const written = await flood(socket, more, 5_000);
  await gone(socket);
  assert.ok(written < 5_000, `${written} frames were taken`);
});

test('headers that are small on the wire and large after HPACK decompression are rejected', async () => {
  const socket = await bare();
  let answer = '';
  socket.setEncoding('latin1').on('data', (text) => {
    answer += text;
  });
  socket.write(hpackBomb('/version'));
  while (!answer.includes('gitVersion') && !answer.includes('431 Request Header') && !socket.destroyed) {
    await once(socket, 'data');
  }
  assert.ok(!answer.includes('gitVersion'), 'a request with three megabytes of headers is not answered');
  socket.destroy();
});

test('too many headers are rejected as a whole over HTTP/2', async () => {
  const headers = Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [`x-${i}`, 'y']));
  await assert.rejects(server.ask2({ ':path': object, ...headers }));
});

describe('an HTTP/2 connection of an unauthenticated client', () => {
  for (const [who, headers, code] of [
    ['without credentials', { authorization: '' }, 403],
    ['with a wrong token', { authorization: 'Bearer wrong' }, 401],
  ] as const) {
    test(`${who} is closed after its first response`, async () => {
      const session = server.session();
      const ended = once(session, 'goaway');
      assert.equal((await requestOver(session, { ':path': object, ...headers })).code, code);
      await ended;
      assert.ok(session.closed);
    });
  }

  test('with valid credentials is kept', async () => {
    const session = server.session();
    for (const authorization of [`Bearer ${tokens.admin}`, `Bearer ${tokens.nobody}`]) {
      for (let i = 0; i < 3; i++) await requestOver(session, { ':path': object, authorization });
      assert.ok(!session.closed);
    }
    session.destroy();
  });
});

describe('an idle HTTP/2 connection is closed', () => {
  /** Writes a little now and then, so that the connection is never idle. */
  async function dribble(socket: Socket, bytes: Buffer): Promise<void> {
    let at = 0;
    const dribbling = setInterval(() => {
      if (at < bytes.length) socket.write(bytes.subarray(at, ++at));
    }, 200);
    await gone(socket);
    clearInterval(dribbling);
    assert.ok(at < bytes.length, 'it was over before all was said');
  }

  test('when its headers never end', async () => {
    const block = headerBlock('/version', { x: 'y'.repeat(100) });
    await dribble(
      await bare(strict),
      frame(frameType.headers, endHeaders | endStream, 1, Buffer.concat([block, block])),
    );
  });

  test('when it sends only PING frames', async () => {
    const ping = frame(frameType.ping, 0, 0, Buffer.alloc(8));
    await dribble(await bare(strict), Buffer.concat(Array<Buffer>(20).fill(ping)));
  });

  test('when nothing follows the TLS handshake', async () => {
    const socket = await strict.raw(false, 'h2');
    socket.resume();
    await gone(socket);
  });

  test('when it does not read its response', async () => {
    // A window of 0: no byte of a response body can be sent.
    const session = connectHttp2(`https://127.0.0.1:${strict.securePort}`, {
      ca: strict.ca,
      settings: { initialWindowSize: 0 },
    });
    const stream = session.request({ ':path': configMapPath, authorization: 'Bearer admin-token' });
    stream.on('error', () => {});
    await once(stream, 'close');
    assert.equal(stream.rstCode, constants.NGHTTP2_CANCEL);
    await gone2(session);
  });

  test('when its session has failed and it does not read', async () => {
    const before = strict.handle;
    strict.handle = ({ response }) => void response.end(Buffer.alloc(16 * 1024 * 1024));
    const count = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const socket = await strict.raw(false, 'h2');
    const connected = count();
    socket.pause();
    const windows = Buffer.from([0x7f, 0, 0, 0]);
    socket.write(
      Buffer.concat([
        preface(Buffer.from([0, 4, 0x7f, 0, 0, 0])),
        frame(frameType.windowUpdate, 0, 0, windows),
        frame(
          frameType.headers,
          endHeaders | endStream,
          1,
          headerBlock(configMapPath, { authorization: 'Bearer admin-token' }),
        ),
      ]),
    );
    await once(socket, 'readable');
    // A frame on stream 0 that must not be there is an error of the connection.
    socket.write(frame(frameType.data, 0, 0));
    while (count() >= connected) await new Promise((resolve) => setTimeout(resolve, 50));
    strict.handle = before;
    socket.destroy();
  });

  test('but not while a request is in progress', async () => {
    const before = strict.handle;
    let finish = () => {};
    strict.handle = (exchange) =>
      new Promise((resolve) => {
        finish = () => resolve(before(exchange));
      });
    const session = connectHttp2(`https://127.0.0.1:${strict.securePort}`, { ca: strict.ca });
    const answered = requestOver(session, { ':path': configMapPath });
    // Longer than the idle timeout.
    const idle = await strict.raw(false, 'h2');
    idle.resume();
    await gone(idle);
    assert.ok(!session.closed);
    finish();
    strict.handle = before;
    assert.equal((await answered).code, 200);
    session.destroy();
  });

  async function gone2(session: ClientHttp2Session): Promise<void> {
    if (!session.destroyed) await once(session, 'close');
  }
});

test('an endless body over HTTP/2 is 504', async () => {
  const session = server.session();
  const stream = session.request({
    ':method': 'POST',
    ':path': '/api/v1/namespaces',
    authorization,
    'content-type': 'application/json',
  });
  stream.on('error', () => {});
  stream.write('{');
  let status = 0;
  stream.once('response', (headers) => {
    status = Number(headers[':status']);
  });
  while (status === 0) {
    server.clock.advance(61_000);
    await new Promise(setImmediate);
  }
  assert.equal(status, 504);
  session.destroy();
});

test('requests that are reset at once are not handled', async () => {
  const before = strict.handle;
  let handled = 0;
  strict.handle = (exchange) => {
    handled++;
    return before(exchange);
  };
  const socket = await bare(strict);
  socket.write(rapidResets(configMapPath, 'Bearer admin-token', 1, 50));
  // All of them have been received once a PING behind them is acknowledged.
  await acknowledgement(socket);
  await new Promise(setImmediate);
  strict.handle = before;
  socket.destroy();
  assert.ok(handled <= 1, `${handled} were handled`);
});

describe('a request ends when its HTTP/2 stream is reset', () => {
  const maps = '/api/v1/namespaces/default/configmaps';

  /** Resolves once the only request that is executed is the one that asks. */
  async function untilIdle(): Promise<void> {
    for (let tries = 0; tries < 100; tries++) {
      const { text } = await server.ask('/metrics');
      const executing = [
        ...text.matchAll(/^apiserver_flowcontrol_current_executing_requests\{.*\} (\d+)$/gm),
      ];
      if (executing.reduce((sum, [, count]) => sum + Number(count), 0) <= 1) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.fail('a request is still executed');
  }

  test('while its list is sent', async () => {
    for (let index = 0; index < 20; index++) {
      const data = { key: 'x'.repeat(100_000) };
      await server.post(maps, { metadata: { name: `large-${index}` }, data });
    }
    const socket = await bare();
    socket.write(rapidResets(maps, authorization, 1, 20));
    const session = server.session();
    const stream = session.request({ ':path': maps, authorization });
    stream.on('error', () => {});
    await once(stream, 'response');
    stream.close(constants.NGHTTP2_CANCEL);
    await untilIdle();
    session.destroy();
    socket.destroy();
  });

  test('while its body arrives, which is no internal error', async () => {
    const session = server.session();
    const stream = session.request({ ':method': 'POST', ':path': maps, authorization });
    stream.on('error', () => {});
    stream.write('{');
    // An earlier request on the same connection has been received once a later one is answered.
    await requestOver(session, { ':path': object });
    stream.close(constants.NGHTTP2_CANCEL);
    await requestOver(session, { ':path': object });
    await untilIdle();
    session.destroy();
    assert.deepEqual(
      server.log.filter((line) => line.includes('internal error')),
      [],
    );
  });
});

test('CONNECT opens no tunnel', async () => {
  const session = server.session();
  const stream = session.request({ ':method': 'CONNECT', ':authority': '127.0.0.1:22', authorization });
  stream.on('error', () => {});
  const [headers] = await once(stream, 'response');
  assert.equal(headers[':status'], 405);
  session.destroy();
  const socket = await server.raw();
  socket.write(
    `CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22\r\nAuthorization: ${authorization}\r\n\r\n`,
  );
  assert.ok(!(await untilClosed(socket)).startsWith('HTTP/1.1 200'));
});

test('afterwards the server still responds', async () => {
  assert.equal((await server.ask(object)).code, 200);
});
