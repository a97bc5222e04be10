// Upgrade requests: subprotocols and bearer tokens of WebSocket clients.
import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { encodeWithoutUpgrade, readUpgrade } from './upgrade.ts';

function request(headers: Record<string, string>): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.method = 'POST';
  message.url = '/a?b=c';
  message.httpVersion = '1.1';
  for (const [name, value] of Object.entries(headers)) {
    message.headers[name.toLowerCase()] = value;
    message.rawHeaders.push(name, value);
  }
  return message;
}

const prefix = 'base64url.bearer.x.';
const read = (protocols: string) => {
  const { protocol, token } = readUpgrade(
    request({ 'Sec-WebSocket-Protocol': protocols }),
    new Socket(),
    Buffer.alloc(0),
    prefix,
  );
  return { protocol, token };
};

test('readUpgrade removes the bearer token subprotocol and selects the first of the others', () => {
  const bearer = `${prefix}${Buffer.from('tökén').toString('base64url')}`;
  assert.deepEqual(read(`${bearer}, a.b, c.d`), { protocol: 'a.b', token: 'tökén' });
  assert.deepEqual(read(`a.b,${bearer}`), { protocol: 'a.b', token: 'tökén' });
  assert.deepEqual(read(bearer), { protocol: undefined, token: undefined });
  assert.deepEqual(read(''), { protocol: undefined, token: undefined });
});

test('encodeWithoutUpgrade restores the request without the upgrade headers', () => {
  const message = request({
    Host: 'h',
    Connection: 'Upgrade, HTTP2-Settings',
    Upgrade: 'h2c',
    'X-Name': 'é',
  });
  const text = encodeWithoutUpgrade(message, Buffer.from('{}')).toString('latin1');
  assert.equal(text, 'POST /a?b=c HTTP/1.1\r\nHost: h\r\nX-Name: é\r\nConnection: close\r\n\r\n{}');
});
