// Slow clients: headers, bodies and TLS handshakes that never end, responses that nobody reads, and idle connections.
import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../parity/client.ts';
import type { Attack, AttackClass } from './attack.ts';
import { dial, send } from './client.ts';
import { createLargeList } from './large-list.ts';

const holdMs = 3_000;
const intervalMs = 250;

export const slowClients: AttackClass = {
  name: 'slow clients',
  sides: ['orch', 'reference'],
  async prepare({ server, undo }) {
    const listPath = await createLargeList(server, 'attack-slow', undo);
    return { target: server, attacks: attacksOn(server, listPath) };
  },
};

interface Slow {
  readonly name: string;
  readonly count: number;
  /** Sent at once. */
  readonly start: string;
  /** Sent again and again; absent: the client sends nothing more. */
  readonly more?: string;
  readonly isReading?: boolean;
  /** The client closes its side of the connection. */
  readonly halfClosed?: boolean;
  /** A TCP connection without TLS. */
  readonly plain?: boolean;
}

function attacksOn(server: Server, listPath: string): Attack[] {
  const head = `Host: x\r\nAuthorization: Bearer ${server.token}\r\nContent-Type: application/json\r\n`;
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${head}${more}\r\n`;
  const post = (path: string, rest: string) => `POST ${path} HTTP/1.1\r\n${head}${rest}`;
  const slow: Slow[] = [
    { name: 'idle connections', count: 500, start: '' },
    { name: 'connections without a handshake', count: 500, start: '', plain: true },
    { name: 'handshakes byte by byte', count: 200, start: '\x16\x03\x01', more: '\x02', plain: true },
    { name: 'requests without TLS', count: 200, start: get('/version'), plain: true },
    { name: 'a slow request line', count: 300, start: 'GET /', more: 'a' },
    { name: 'slow headers', count: 300, start: `GET /version HTTP/1.1\r\n${head}X: `, more: 'y' },
    { name: 'many slow headers', count: 300, start: `GET /version HTTP/1.1\r\n${head}`, more: 'X: y\r\n' },
    { name: 'slow bodies', count: 300, start: post(listPath, 'Content-Length: 3000000\r\n\r\n{'), more: ' ' },
    {
      name: 'slow chunks',
      count: 300,
      start: post(listPath, 'Transfer-Encoding: chunked\r\n\r\n'),
      more: '1\r\n \r\n',
    },
    {
      name: 'slow chunk extensions',
      count: 200,
      start: post(listPath, 'Transfer-Encoding: chunked\r\n\r\n1;'),
      more: 'x',
    },
    {
      name: 'slow trailers',
      count: 200,
      start: post(listPath, 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n'),
      more: 'X: y\r\n',
    },
    {
      name: 'bodies that are expected and never sent',
      count: 300,
      start: post(listPath, 'Expect: 100-continue\r\nContent-Length: 3000000\r\n\r\n'),
    },
    {
      name: 'large bodies that stop before their end',
      count: 100,
      start: post(listPath, `Content-Length: 3000000\r\n\r\n${' '.repeat(2_000_000)}`),
    },
    { name: 'unread large lists', count: 100, start: get(listPath), isReading: false },
    { name: 'unread large lists, pipelined', count: 50, start: get(listPath).repeat(20), isReading: false },
    {
      name: 'unread large lists, compressed',
      count: 50,
      start: get(listPath, 'Accept-Encoding: gzip\r\n'),
      isReading: false,
    },
    {
      name: 'unread large lists as tables',
      count: 50,
      start: get(listPath, 'Accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n'),
      isReading: false,
    },
    { name: 'half-closed connections', count: 300, start: '', halfClosed: true },
    { name: 'half-closed requests', count: 300, start: `GET /version HTTP/1.1\r\n${head}`, halfClosed: true },
    {
      name: 'half-closed bodies',
      count: 300,
      start: post(listPath, 'Content-Length: 3000000\r\n\r\n{'),
      halfClosed: true,
    },
    { name: 'half-closed lists', count: 100, start: get(listPath), halfClosed: true, isReading: false },
    { name: 'half-closed watches', count: 200, start: get(`${listPath}?watch=1`), halfClosed: true },
  ];
  return [
    ...slow.map((each): Attack => ({ name: each.name, count: each.count, run: () => hold(server, each) })),
    {
      name: 'unread watches of large changes',
      count: 100,
      run: () =>
        hold(server, { name: '', count: 100, start: get(`${listPath}?watch=1`), isReading: false }, () =>
          change(server, listPath),
        ),
    },
  ];
}

/** Opens the connections, keeps them for a while, and then closes them. */
async function hold(server: Server, slow: Slow, meanwhile?: () => Promise<void>): Promise<void> {
  const sockets: Socket[] = [];
  try {
    // Some at once: a client cannot make hundreds of handshakes faster.
    while (sockets.length < slow.count) {
      sockets.push(...(await Promise.all(Array.from({ length: 25 }, () => open(server, slow)))));
    }
    await meanwhile?.();
    const end = performance.now() + holdMs;
    while (performance.now() < end) {
      if (slow.more) for (const socket of sockets) if (socket.writable) socket.write(slow.more, 'latin1');
      await sleep(intervalMs);
    }
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

async function open(server: Server, { start, isReading = true, halfClosed, plain }: Slow): Promise<Socket> {
  const socket = plain ? await dialTcp(server) : await dial(server);
  if (isReading) socket.resume();
  else socket.pause();
  if (start) socket.write(start, 'latin1');
  if (halfClosed) socket.end();
  return socket;
}

async function dialTcp({ url }: Server): Promise<Socket> {
  const socket = connectTcp(Number(url.port), url.hostname);
  await once(socket, 'connect');
  return socket.on('error', () => {});
}

const changes = 100;
const changeBytes = 100_000;

async function change(server: Server, listPath: string): Promise<void> {
  for (let index = 0; index < changes; index++) {
    const data = { key: `${index}`.padEnd(changeBytes, 'x') };
    await send(server, 'PUT', `${listPath}/large-0`, { metadata: { name: 'large-0' }, data });
  }
}
