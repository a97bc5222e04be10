// Request smuggling: a request that hides a second one, which must never be executed.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../parity/client.ts';
import { ambiguousRequests } from '../support/ambiguous-requests.ts';
import { endHeaders, frame, frameType, literalBlock, preface } from '../support/http2-frames.ts';
import { type AttackClass, attackOfTries } from './attack.ts';
import { dial, send, setUp } from './client.ts';

const path = '/api/v1/namespaces/default/configmaps';
const firstResponseMs = 1_500;
const laterResponseMs = 300;

export const smuggling: AttackClass = {
  name: 'request smuggling',
  sides: ['orch', 'reference'],
  prepare: async ({ server }) => ({
    target: server,
    attacks: Object.entries(requestsOf(server)).map(([name, requests]) =>
      attackOfTries(name, requests, (request) => smuggle(server, request)),
    ),
  }),
};

/** Bytes that contain a request for an object with this name. */
interface Smuggled {
  readonly what: string;
  readonly protocol?: 'h2';
  bytes(marker: string): string | Buffer;
}

let markers = 0;

/** Sends the bytes. At most one response may arrive, and the hidden request must not be executed. */
async function smuggle(server: Server, { what, protocol, bytes }: Smuggled): Promise<void> {
  const marker = `smuggled-${markers++}`;
  const socket = await dial(server, { ALPNProtocols: [protocol ?? 'http/1.1'] });
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  const content = bytes(marker);
  socket.write(typeof content === 'string' ? Buffer.from(content, 'latin1') : content);
  const end = performance.now() + firstResponseMs;
  while (!socket.destroyed && text === '' && performance.now() < end) await sleep(20);
  if (!socket.destroyed) await sleep(laterResponseMs);
  socket.destroy();
  const executed = (await send(server, 'GET', `${path}/${marker}`)).status === 200;
  if (executed) await setUp(server, 'DELETE', `${path}/${marker}`);
  const statuses = text.match(/HTTP\/1\.1 [2-5]\d\d/g) ?? [];
  const shown = `${what} (${statuses.map((each) => each.slice(-3)).join(', ')})`;
  if (executed) throw new Error(`${shown}: the hidden request was executed`);
  if (statuses.length > 1) throw new Error(`${shown}: ${statuses.length} responses`);
}

function requestsOf(server: Server): Record<string, Smuggled[]> {
  const headOf = (token: string) =>
    `Host: ${server.url.host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
  const head = headOf(server.token);
  const objectOf = (marker: string) => JSON.stringify({ metadata: { name: marker } });
  const hidden = (marker: string) => {
    const object = objectOf(marker);
    return `POST ${path} HTTP/1.1\r\n${head}Content-Length: ${object.length}\r\n\r\n${object}`;
  };
  /** A POST with these headers and body. */
  const post = (
    what: string,
    rest: (smuggled: string) => string,
    start = `POST ${path} HTTP/1.1\r\n${head}`,
  ): Smuggled => ({
    what,
    bytes: (marker) => start + rest(hidden(marker)),
  });
  const sized = (body: string) => `Content-Length: ${body.length}\r\n\r\n${body}`;
  const hex = (body: string) => body.length.toString(16);
  const chunkedBody = (body: string) => `${hex(body)}\r\n${body}\r\n0\r\n\r\n`;

  return {
    'ambiguous requests': Object.entries(ambiguousRequests).map(([what, rest]) =>
      post(what, (smuggled) => rest + smuggled),
    ),
    'a length and a spelling of chunked': transferEncodings.flatMap((encoding) => [
      post(
        `behind the last chunk: ${show(encoding)}`,
        (smuggled) => `${encoding}\r\n${sized(`0\r\n\r\n${smuggled}`)}`,
      ),
      post(
        `in a chunk: ${show(encoding)}`,
        (smuggled) =>
          `Content-Length: ${hex(smuggled).length + 2}\r\n${encoding}\r\n\r\n${chunkedBody(smuggled)}`,
      ),
    ]),
    'a spelling of chunked alone': transferEncodings
      .filter((encoding) => !isChunked(encoding))
      .map((encoding) => post(show(encoding), (smuggled) => `${encoding}\r\n\r\n0\r\n\r\n${smuggled}`)),
    'spellings of a length': lengths.map((spell) =>
      post(
        show(spell('N')),
        (smuggled) => `Content-Length: ${spell(`${smuggled.length}`)}\r\n\r\n${smuggled}`,
      ),
    ),
    'spellings of a chunk': chunks.map((spell) =>
      post(
        show(spell('N', '…')),
        (smuggled) => `Transfer-Encoding: chunked\r\n\r\n${spell(hex(smuggled), smuggled)}0\r\n\r\n`,
      ),
    ),
    'bodies of rejected requests': rejections.flatMap(([what, line, more]) =>
      [server.token, 'wrong', ''].flatMap((token) => {
        const start = `${line} HTTP/1.1\r\n${token ? headOf(token) : `Host: x\r\n`}${more}`;
        const who = token === '' ? 'anonymous' : token;
        return [
          post(`${what} as ${who}, with a length`, sized, start),
          post(
            `${what} as ${who}, in chunks`,
            (smuggled) => `Transfer-Encoding: chunked\r\n\r\n${chunkedBody(smuggled)}`,
            start,
          ),
        ];
      }),
    ),
    'malformed requests over HTTP/2': malformedHttp2.map(([what, fields, body]) => ({
      what,
      protocol: 'h2',
      bytes(marker) {
        const object = body?.(objectOf(marker)) ?? objectOf(marker);
        return Buffer.concat([
          preface(),
          frame(frameType.headers, endHeaders, 1, literalBlock(fields([...goodFields(server)], object))),
          frame(frameType.data, 1, 1, Buffer.from(object)),
        ]);
      },
    })),
  };
}

const show = (text: string) => JSON.stringify(text).slice(1, -1);

const blanks = [
  '\t',
  '\x0b',
  '\x0c',
  '\0',
  '\x1f',
  '\x7f',
  '\x85',
  '\xa0',
  '\r',
  '\n',
  '\r ',
  '\n ',
  '\r\n ',
  '\r\n\t',
  ' ',
];
const encodings = [
  'chunked',
  'CHUNKED',
  'cHuNkEd',
  'xchunked',
  'chunkedx',
  'chunked, identity',
  'identity, chunked',
  'identity',
  'chunked, chunked',
  'gzip, chunked',
  'chunked, gzip',
  'gzip',
  'deflate',
  'chunked;q=1',
  'chunked; x=y',
  '"chunked"',
  "'chunked'",
  ',chunked',
  'chunked,',
  ', ,chunked',
  '',
  '[chunked]',
  'chunked\\',
  'chun ked',
  'chunked\x80',
  '\xff\xfechunked',
  'x',
  'trailers',
  'null',
  '1',
];
const transferEncodings = [
  ...encodings.map((value) => `Transfer-Encoding: ${value}`),
  ...blanks.flatMap((blank) => [
    `Transfer-Encoding${blank}: chunked`,
    `${blank}Transfer-Encoding: chunked`,
    `Transfer-Encoding:${blank}chunked`,
    `Transfer-Encoding: chunked${blank}`,
    `Transfer-Encoding: chunk${blank}ed`,
  ]),
  ...['\r', '\n', '\0', '\r\n ', '\r\n\t'].map((blank) => `X: y${blank}Transfer-Encoding: chunked`),
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
  'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
  'transfer-encoding:chunked\r\nTransfer-Encoding: x',
  'Connection: Content-Length\r\nTransfer-Encoding: chunked',
  'Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked',
];

/** A server may see chunks; what is behind the last one is then a request of its own. */
const isChunked = (encoding: string) =>
  /(^|\n)(Connection: [^\n]*|Transfer-Encoding:[ \t]*([^\r\n]*,)?[ \t]*chunked[ \t,]*)$/i.test(encoding);

const lengths: ((length: string) => string)[] = [
  (length) => `+${length}`,
  (length) => `-${length}`,
  (length) => `0x${length}`,
  (length) => `${length}, 0`,
  (length) => `0, ${length}`,
  (length) => `0,${length}`,
  (length) => `${length}, ${length}`,
  (length) => `${length}.0`,
  (length) => `${length}e0`,
  (length) => `"${length}"`,
  (length) => `${length};`,
  (length) => `0${length}`,
  (length) => `1_${length}`,
  (length) => `${length}\r\nContent-Length: 0`,
  (length) => `0\r\nContent-Length: ${length}`,
  (length) => `${length}\r\nContent-Length: ${length}`,
  (length) => `0\r\ncontent-length: ${length}`,
  () => '',
  () => 'x',
  () => '-0',
  () => '18446744073709551616',
  () => '9223372036854775808',
  ...blanks.flatMap((blank) => [
    (length: string) => `${blank}${length}`,
    (length: string) => `${length}${blank}`,
    (length: string) => `0${blank}${length}`,
  ]),
];

const chunks: ((size: string, data: string) => string)[] = [
  ...[
    '0x',
    '+',
    '-',
    ' ',
    '\t',
    '0',
    '0'.repeat(500),
    '1_',
    '\0',
    'g',
    '0,',
    '0 ',
    '0;',
    '10000000000000000',
  ].map((before) => (size: string, data: string) => `${before}${size}\r\n${data}\r\n`),
  ...[
    ' ',
    '\t',
    ';',
    ';x',
    ';x=y',
    ';x="y"',
    ';x="\r\n',
    ';x=\r',
    ';x=\n',
    ';\n',
    '\0',
    '.0',
    'h',
    ',0',
    ' 0',
    `;${'x'.repeat(20_000)}`,
  ].map((after) => (size: string, data: string) => `${size}${after}\r\n${data}\r\n`),
  ...['\n', '\r', '\r\r\n', '\n\r', '', '\x85'].map(
    (end) => (size: string, data: string) => `${size}${end}${data}\r\n`,
  ),
  ...['', '\n', '\r', 'XX', '\r\r\n', '\0\0'].map(
    (end) => (size: string, data: string) => `${size}\r\n${data}${end}`,
  ),
];

const rejections: readonly (readonly [what: string, line: string, headers: string])[] = [
  ['an unknown path', 'POST /nowhere', ''],
  ['a method that is not allowed', 'POST /version', ''],
  ['an unknown resource', 'POST /api/v1/namespaces/default/nowhere', ''],
  ['an unsupported media type', `POST ${path}`, 'Content-Type: text/nope\r\n'],
  ['a response type that is not supported', `POST ${path}`, 'Accept: image/png\r\n'],
  ['an unknown expectation', `POST ${path}`, 'Expect: 200-ok\r\n'],
  ['an expected 100', `POST ${path}`, 'Expect: 100-continue\r\n'],
  ['an upgrade', `GET ${path}`, 'Connection: Upgrade\r\nUpgrade: h2c\r\n'],
  ['a refused WebSocket', `GET ${path}?watch=1`, 'Connection: Upgrade\r\nUpgrade: websocket\r\n'],
  [
    'a refused exec',
    'POST /api/v1/namespaces/default/pods/none/exec?command=id',
    'Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\n',
  ],
  ['a GET with a body', `GET ${path}`, ''],
  ['a HEAD with a body', `HEAD ${path}`, ''],
  ['a DELETE with a body', `DELETE ${path}/none`, ''],
  ['an OPTIONS with a body', `OPTIONS ${path}`, ''],
  ['a TRACE with a body', `TRACE ${path}`, ''],
  ['an object that is none', `POST ${path}`, ''],
];

type Fields = (readonly [name: string, value: string])[];

const goodFields = ({ url, token }: Server): Fields => [
  [':method', 'POST'],
  [':scheme', 'https'],
  [':authority', url.host],
  [':path', path],
  ['authorization', `Bearer ${token}`],
  ['content-type', 'application/json'],
];

/** Requests that RFC 9113 calls malformed; the object in their body must not be created. */
const malformedHttp2: readonly (readonly [
  what: string,
  fields: (good: Fields, body: string) => Fields,
  body?: (object: string) => string,
])[] = [
  ['a length that is too short', (good) => [...good, ['content-length', '2']]],
  ['a length that is too long', (good, body) => [...good, ['content-length', `${body.length + 9}`]]],
  ['a length of zero', (good) => [...good, ['content-length', '0']]],
  ['a length that is none', (good) => [...good, ['content-length', 'x']]],
  ['two lengths', (good, body) => [...good, ['content-length', '0'], ['content-length', `${body.length}`]]],
  ['a transfer encoding', (good) => [...good, ['transfer-encoding', 'chunked']]],
  ['a connection header', (good) => [...good, ['connection', 'close']]],
  ['an upgrade', (good) => [...good, ['upgrade', 'h2c']]],
  ['a name in upper case', (good) => [...good, ['X-Upper', 'y']]],
  // nghttp2 drops a field with a forbidden character: what is behind the line break must not become a header.
  [
    'a token behind a line break',
    (good) => [...anonymous(good), ['x', `y\r\nauthorization: ${tokenOf(good)}`]],
  ],
  ['a token behind a line feed', (good) => [...anonymous(good), ['x', `y\nauthorization: ${tokenOf(good)}`]]],
  ['a token behind a null', (good) => [...anonymous(good), ['x', `y\0authorization: ${tokenOf(good)}`]]],
  [
    'a token whose name has a line break',
    (good) => [...anonymous(good), ['x: y\r\nauthorization', tokenOf(good)]],
  ],
  ['a token whose name has a blank', (good) => [...anonymous(good), ['authorization ', tokenOf(good)]]],
  ['a token whose name has a colon', (good) => [...anonymous(good), ['authorization:', tokenOf(good)]]],
  ['a token whose name is in upper case', (good) => [...anonymous(good), ['Authorization', tokenOf(good)]]],
  ['a token with a null', (good) => [...anonymous(good), ['authorization', `${tokenOf(good)}\0`]]],
  ['a token with a line break', (good) => [...anonymous(good), ['authorization', `${tokenOf(good)}\r\n`]]],
  ['a path with a line break', (good) => replaced(good, ':path', `${path} HTTP/1.1\r\nX: y`)],
  ['a path with a space', (good) => replaced(good, ':path', `${path} x`)],
  ['a method with a line break', (good) => replaced(good, ':method', 'POST / HTTP/1.1\r\nX: y')],
  ['an empty path', (good) => replaced(good, ':path', '')],
  ['two methods', (good) => [[':method', 'GET'], ...good]],
  ['two paths', (good) => [[':path', '/version'], ...good]],
  ['two authorities', (good) => [[':authority', 'x'], ...good]],
  ['an unknown pseudo-header', (good) => [[':x', 'y'], ...good]],
  ['a pseudo-header of responses', (good) => [[':status', '200'], ...good]],
  ['a pseudo-header behind others', (good) => [...good.slice(1), good[0]!]],
  ['no path', (good) => good.filter(([name]) => name !== ':path')],
  ['no method', (good) => good.filter(([name]) => name !== ':method')],
];

const anonymous = (fields: Fields): Fields => fields.filter(([name]) => name !== 'authorization');
const tokenOf = (fields: Fields) => fields.find(([name]) => name === 'authorization')![1];
const replaced = (fields: Fields, name: string, value: string): Fields =>
  fields.map((field) => (field[0] === name ? [name, value] : field));
