import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { IncomingMessage } from '../../transport/node-http.ts';
import { SubscriptionResponse } from './subscription-response.ts';

function responseTo(sent: string[]): SubscriptionResponse {
  return new SubscriptionResponse(new IncomingMessage(new Socket()), {
    sendEvents: (lines) => sent.push(lines.toString()),
    end: (code) => sent.push(`end ${code}`),
    buffered: () => 0,
  });
}

test('events that an aggregated API server sends in parts are sent whole', () => {
  const sent: string[] = [];
  const response = responseTo(sent);
  response.writeHead(200);
  for (const part of ['{"a"', ':1}\n{"b":2}\n{', '"c":3}', '\n']) response.write(Buffer.from(part));
  response.end();
  assert.deepEqual(sent, ['{"a":1}\n{"b":2}\n', '{"c":3}\n', 'end 200']);
});

test('an event without end breaks the watch off', () => {
  const sent: string[] = [];
  const response = responseTo(sent);
  response.writeHead(200);
  for (let megabytes = 0; megabytes < 9; megabytes++) response.write(Buffer.alloc(1024 * 1024, 'x'));
  assert.deepEqual(sent, ['end 503']);
});
