// Attacks on watches over WebSocket: frames that RFC 6455 forbids, floods, and connections that stall.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import type { Server } from '../parity/client.ts';
import type { Attack, AttackClass } from './attack.ts';
import { dial, flood } from './client.ts';

const watchPath = '/api/v1/namespaces/default/configmaps?watch=1';
const connections = 20;
const holdMs = 300;

export const webSockets: AttackClass = {
  name: 'WebSocket',
  sides: ['orch', 'reference'],
  prepare: async ({ server }) => ({ target: server, attacks: attacksOn(server) }),
};

const opcodes = { continuation: 0, text: 1, binary: 2, reserved: 3, close: 8, ping: 9, pong: 10 };

interface FrameOptions {
  readonly isFinal?: boolean;
  readonly reservedBits?: number;
  readonly isMasked?: boolean;
  /** The length that the frame claims, if not that of its payload. */
  readonly claimed?: bigint;
}

function frame(opcode: number, payload: Buffer | string = '', options: FrameOptions = {}): Buffer {
  const { isFinal = true, reservedBits = 0, isMasked = true } = options;
  const bytes = Buffer.from(payload);
  const length = options.claimed ?? BigInt(bytes.length);
  const first = (isFinal ? 0x80 : 0) | (reservedBits << 4) | opcode;
  const maskBit = isMasked ? 0x80 : 0;
  let head: Buffer;
  if (length < 126n) head = Buffer.from([first, maskBit | Number(length)]);
  else {
    head = Buffer.alloc(10);
    head[0] = first;
    head[1] = maskBit | 127;
    head.writeBigUInt64BE(length, 2);
  }
  // A mask of zeros leaves the payload as it is.
  return Buffer.concat([head, Buffer.alloc(isMasked ? 4 : 0), bytes]);
}

const forbidden: Readonly<Record<string, Buffer>> = {
  'an unmasked frame': frame(opcodes.text, 'hi', { isMasked: false }),
  'reserved bits': frame(opcodes.text, 'hi', { reservedBits: 7 }),
  'a reserved opcode': frame(opcodes.reserved, 'hi'),
  'a fragmented ping': frame(opcodes.ping, 'hi', { isFinal: false }),
  'a ping that is too long': frame(opcodes.ping, 'x'.repeat(4000)),
  'a continuation of nothing': frame(opcodes.continuation, 'hi'),
  'interleaved messages': Buffer.concat([
    frame(opcodes.text, 'a', { isFinal: false }),
    frame(opcodes.binary, 'b', { isFinal: false }),
  ]),
  'invalid UTF-8': frame(opcodes.text, Buffer.from([0xc0, 0x80, 0xff])),
  'a close frame of one byte': frame(opcodes.close, 'x'),
  'a close code that is reserved': frame(opcodes.close, Buffer.from([0x03, 0xed])),
  'a length of 2^63': frame(opcodes.binary, 'x', { claimed: 1n << 63n }),
  'a length of 2^64 - 1': frame(opcodes.binary, 'x', { claimed: (1n << 64n) - 1n }),
  'a length of 1 GB': frame(opcodes.binary, 'x', { claimed: 1n << 30n }),
  'a message of 8 MB': frame(opcodes.binary, Buffer.alloc(8 * 1024 * 1024)),
  'random bytes': randomBytes(64 * 1024),
};

const floods: Readonly<Record<string, Buffer>> = {
  pings: frame(opcodes.ping, 'x'.repeat(125)),
  pongs: frame(opcodes.pong, 'x'.repeat(125)),
  'empty fragments': frame(opcodes.continuation, '', { isFinal: false }),
  'short messages': frame(opcodes.text, 'x'),
};

function attacksOn(server: Server): Attack[] {
  const attacks: Attack[] = [];
  for (const [name, bytes] of Object.entries(forbidden)) {
    attacks.push({ name, run: () => onMany(server, (socket) => socket.write(bytes)) });
  }
  for (const [name, bytes] of Object.entries(floods)) {
    const start = name === 'empty fragments' ? frame(opcodes.text, '', { isFinal: false }) : Buffer.alloc(0);
    attacks.push({ name: `a flood of ${name}`, run: () => floodWith(server, start, bytes, true) });
    attacks.push({
      name: `… by clients that read nothing: ${name}`,
      run: () => floodWith(server, start, bytes, false),
    });
  }
  attacks.push(
    {
      name: 'frames that never end',
      run: () => onMany(server, (socket) => socket.write(frame(opcodes.text, 'x').subarray(0, 3))),
    },
    { name: 'handshakes that never end', run: () => manyHandshakes(server, 'Sec-WebSocket-Key: AAAA') },
    { name: 'a wrong key', run: () => manyHandshakes(server, 'Sec-WebSocket-Key: short\r\n\r\n') },
    {
      name: 'thousands of subprotocols',
      run: () =>
        manyHandshakes(
          server,
          `${handshakeEnd()}Sec-WebSocket-Protocol: ${Array.from({ length: 5000 }, (_, index) => `p${index}`).join(',')}\r\n\r\n`,
        ),
    },
    {
      name: 'a request behind the handshake',
      run: () => manyHandshakes(server, `${handshakeEnd()}\r\nGET /version HTTP/1.1\r\nHost: x\r\n\r\n`),
    },
    { name: 'connections that are closed after the handshake', run: () => resets(server) },
  );
  return attacks;
}

const handshakeEnd = () =>
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n`;

function handshakeStart({ url, token }: Server): string {
  return (
    `GET ${watchPath} HTTP/1.1\r\nHost: ${url.host}\r\nOrigin: https://${url.host}\r\n` +
    `Authorization: Bearer ${token}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`
  );
}

/** An open WebSocket; rejects if the server does not accept the handshake. */
async function open(server: Server): Promise<TLSSocket> {
  const socket = await dial(server);
  socket.write(`${handshakeStart(server)}${handshakeEnd()}\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  if (!answer.toString('latin1').startsWith('HTTP/1.1 101')) {
    socket.destroy();
    throw new Error(`the handshake was answered with ${answer.toString('latin1').slice(0, 80)}`);
  }
  return socket;
}

async function onMany(server: Server, act: (socket: TLSSocket) => void): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(server)));
  for (const socket of sockets) {
    socket.resume();
    act(socket);
  }
  await sleep(holdMs);
  for (const socket of sockets) socket.destroy();
}

async function manyHandshakes(server: Server, rest: string): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => dial(server)));
  for (const socket of sockets) socket.resume().write(handshakeStart(server) + rest);
  await sleep(holdMs);
  for (const socket of sockets) socket.destroy();
}

async function resets(server: Server): Promise<void> {
  for (let round = 0; round < 10; round++) {
    const sockets = await Promise.all(Array.from({ length: connections }, () => open(server)));
    for (const socket of sockets) socket.destroy();
  }
}

const floodMs = 5_000;

async function floodWith(server: Server, start: Buffer, bytes: Buffer, reads: boolean): Promise<void> {
  const socket = await open(server);
  if (reads) socket.resume();
  else socket.pause();
  socket.write(start);
  const chunk = Buffer.concat(Array.from({ length: Math.ceil(65_536 / bytes.length) }, () => bytes));
  await flood(socket, chunk, floodMs);
  socket.destroy();
}
