import assert from 'node:assert/strict';
import { connect as connectHttp2 } from 'node:http2';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { negotiate } from '../../src/serializers/negotiate.ts';
import { BufferPool } from '../../src/transport/chunked-body.ts';
import { type Exchange, readBody } from '../../src/transport/exchange.ts';
import { jsonType, sendJsonBytes } from '../../src/transport/response.ts';
import { sendStream } from '../../src/transport/stream.ts';
import { configMapPath, HttpFixture, object, objectLine } from '../support/http.ts';

const http = new HttpFixture();
const collection = '/api/v1/namespaces/default/configmaps';
const offer = { mediaTypes: [jsonType], routeTypes: [jsonType] };

let pulled = 0;
let ended = false;

/** A list with the number of objects that the query names, of one kilobyte each. */
function* items(count: number): Generator<Buffer, void> {
  try {
    yield Buffer.from('{"items":[');
    for (let i = 0; i < count; i++) {
      pulled = i;
      yield Buffer.from(`${i === 0 ? '' : ','}{"n":${i},"pad":"${'x'.repeat(1000)}"}`);
    }
    yield Buffer.from(']}\n');
  } finally {
    ended = true;
  }
}

http.handle = async (exchange: Exchange) => {
  const { pretty } = negotiate(exchange, offer);
  if (exchange.info.verb === 'create') {
    const body = await readBody(exchange);
    return sendJsonBytes(exchange, 201, Buffer.from(JSON.stringify({ size: body.length })), pretty);
  }
  if (exchange.info.verb === 'list') {
    const pieces = items(Number(exchange.query.get('limit') ?? '1'));
    return sendStream(exchange, pieces, {
      contentType: jsonType,
      pretty,
      clock: http.clock,
      buffers: new BufferPool(http.clock),
      readTimeoutMs: 5_000,
    });
  }
  const size = Number(exchange.query.get('size') ?? '0');
  return sendJsonBytes(exchange, 200, size ? Buffer.from(`"${'x'.repeat(size)}"`) : object, pretty);
};

test('curl, Wget and browsers get indented JSON by default; pretty overrides it', async () => {
  const indented =
    '{\n  "kind": "ConfigMap",\n  "apiVersion": "v1",\n  "metadata": {\n    "name": "a"\n  }\n}';
  const text = async (agent: string, query = '', accept = '*/*') =>
    (await http.ask(`${configMapPath}${query}`, { headers: { 'user-agent': agent, accept } })).text;
  for (const agent of ['curl/8.5', 'Wget/1.21', 'Mozilla/5.0 (X11)'])
    assert.equal(await text(agent), indented);
  assert.equal(await text('kubectl/v1.33', '?pretty=true'), indented);
  assert.equal(await text('kubectl/v1.33', '', 'application/json;pretty=1'), indented);
  assert.equal(await text('kubectl/v1.33'), objectLine);
  assert.equal(await text('curl/8.5', '?pretty=false'), objectLine);
  assert.equal(await text('Mozilla/4.0'), objectLine);
});

test('an unsupported Accept is 406, in indented JSON', async () => {
  const { code, text } = await http.ask(configMapPath, { headers: { accept: 'application/xml' } });
  assert.equal(code, 406);
  const status = JSON.parse(text);
  assert.equal(status.message, '406: Not Acceptable\n\nAvailable representations: application/json');
  assert.deepEqual(status.details, {});
  assert.match(text, /^\{\n {2}"kind"/);
  const asTable = await http.ask(configMapPath, { headers: { accept: 'application/json;as=Nope;v=v1' } });
  assert.equal(asTable.code, 406);
  assert.match(JSON.parse(asTable.text).message, /^only the following media types are accepted: /);
});

test('responses from 128 KiB are compressed if the client accepts gzip', async () => {
  const ask = (size: number, encoding: string) =>
    http.ask(`${configMapPath}?size=${size}`, { headers: { 'accept-encoding': encoding } });
  const large = await ask(200_000, 'deflate, gzip');
  assert.equal(large.headers['content-encoding'], 'gzip');
  assert.equal(large.headers.vary, 'Accept-Encoding');
  assert.equal(gunzipSync(large.body).length, 200_003);
  assert.equal((await ask(200_000, 'br')).headers['content-encoding'], undefined);
  assert.equal((await ask(100_000, 'gzip')).headers['content-encoding'], undefined);
});

test('a list is streamed: small ones with Content-Length, large ones compressed', async () => {
  const small = await http.ask(`${collection}?limit=2`);
  assert.equal(small.headers['content-length'], String(small.body.length));
  assert.equal(JSON.parse(small.text).items.length, 2);
  const large = await http.ask(`${collection}?limit=1000`, { headers: { 'accept-encoding': 'gzip' } });
  assert.equal(large.headers['content-encoding'], 'gzip');
  assert.equal(JSON.parse(gunzipSync(large.body).toString()).items.length, 1000);
  const plain = await http.ask(`${collection}?limit=1000&pretty=1`);
  assert.equal(plain.headers['transfer-encoding'], 'chunked');
  assert.equal(JSON.stringify(JSON.parse(plain.text), null, 2), plain.text);
});

test('a list is complete over HTTP/2', async () => {
  const session = connectHttp2(`https://127.0.0.1:${http.securePort}`, {
    ca: http.pki.ca.certificate,
  });
  const stream = session.request({
    ':path': `${collection}?limit=3000`,
    authorization: 'Bearer admin-token',
  });
  let text = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) text += chunk;
  assert.equal(JSON.parse(text).items.length, 3000);
  session.close();
});

test('HTTP/2: compressed lists, HEAD, and Expect', async () => {
  const session = connectHttp2(`https://127.0.0.1:${http.securePort}`, { ca: http.pki.ca.certificate });
  /** The status, and the body. */
  const answer = async (headers: Record<string, string>): Promise<[number | undefined, Buffer]> => {
    const stream = session.request({ authorization: 'Bearer admin-token', ...headers });
    let status: number | undefined;
    stream.once('response', (response) => {
      status = response[':status'];
    });
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return [status, Buffer.concat(chunks)];
  };
  const list = { ':path': `${collection}?limit=3000`, 'accept-encoding': 'gzip' };
  const [code, compressed] = await answer(list);
  assert.equal(code, 200);
  assert.equal(JSON.parse(gunzipSync(compressed).toString()).items.length, 3000);
  const nothing = Buffer.alloc(0);
  assert.deepEqual(await answer({ ...list, ':method': 'HEAD' }), [200, nothing]);
  assert.deepEqual(await answer({ ':path': `${collection}?limit=3000`, ':method': 'HEAD' }), [200, nothing]);
  assert.deepEqual(await answer({ ':path': configMapPath, ':method': 'HEAD' }), [200, nothing]);
  assert.deepEqual(await answer({ ':path': configMapPath, expect: '200-ok' }), [417, nothing]);
  const continued = session.request({
    ...{ ':path': configMapPath, authorization: 'Bearer admin-token', expect: '100-continue' },
  });
  await new Promise((resolve) => continued.once('continue', resolve));
  continued.close();
  session.close();
});

test('a client that stops reading a list is disconnected after a timeout', async () => {
  ended = false;
  const socket = await http.raw(true);
  socket.write(`GET ${collection}?limit=100000 HTTP/1.1\r\nHost: 127.0.0.1:${http.plainPort}\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  let before = -1;
  while (before !== pulled) {
    before = pulled;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.ok(pulled < 50_000, `${pulled} of 100000 were made for a reader that takes none`);
  assert.equal(ended, false);
  http.clock.advance(6_000);
  while (!ended) await new Promise(setImmediate);
  socket.destroy();
});

test('a client that does not read a large object is disconnected at the request timeout', async () => {
  const socket = await http.raw(true);
  socket.write(`GET ${configMapPath}?size=20000000 HTTP/1.1\r\nHost: 127.0.0.1:${http.plainPort}\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  while (http.server.filters.inFlight.current('readOnly') > 0) await new Promise(setImmediate);
  http.clock.advance(61_000);
  let taken = 0;
  socket.on('data', (chunk) => {
    taken += chunk.length;
  });
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
  assert.ok(taken < 20_000_000);
});

test('a body of 3 MiB is accepted, one byte more is 413, with and without Content-Length', async () => {
  const limit = 3 * 1024 * 1024;
  const send = (size: number, headers = {}) =>
    http.ask(collection, { method: 'POST', body: Buffer.alloc(size, 32), headers });
  assert.deepEqual(JSON.parse((await send(limit)).text), { size: limit });
  for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
    const { code, text } = await send(limit + 1, headers);
    assert.equal(code, 413);
    assert.equal(JSON.parse(text).message, 'Request entity too large: limit is 3145728');
  }
});

test('an empty body is read as empty', async () => {
  assert.deepEqual(JSON.parse((await http.ask(collection, { method: 'POST' })).text), { size: 0 });
});

test('each warning is one header, escaped, in UTF-8, without duplicates', async () => {
  const before = http.handle;
  http.handle = (exchange) => {
    exchange.warnings.push('unknown field "a\\b"', 'ключ', 'ключ', 'two\nlines');
    return sendJsonBytes(exchange, 200, object, false);
  };
  const socket = await http.raw(true);
  socket.write(
    `GET ${configMapPath} HTTP/1.1\r\nHost: 127.0.0.1:${http.plainPort}\r\nConnection: close\r\n\r\n`,
  );
  let text = '';
  for await (const chunk of socket) text += chunk.toString('utf8');
  assert.deepEqual(text.match(/^Warning: .*(?=\r$)/gm), [
    'Warning: 299 - "unknown field \\"a\\\\b\\""',
    'Warning: 299 - "ключ"',
    'Warning: 299 - "two lines"',
  ]);
  http.handle = before;
});
