// An HTTPS server that misbehaves in the way that its path names, for webhooks and aggregated API servers.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createCA, issueServingCertificate } from '../../src/pki/issue.ts';

type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

const megabyte = 1024 * 1024;

/** How a server can answer. The keys are the last segments of its paths. */
export const behaviours: Readonly<Record<string, Behaviour>> = {
  'drips-headers': ({ socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\n');
    repeat(socket, () => socket?.write('X-More: 1\r\n'));
  },
  'drips-body': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    repeat(response, () => response.write(' '));
  },
  'endless-body': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    flood(response);
  },
  'huge-headers': (response) => {
    response.writeHead(200, { 'x-huge': 'x'.repeat(4 * megabyte) });
    response.end('{}');
  },
  'very-many-headers': ({ socket }) => {
    socket?.end(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(200_000)}\r\n`);
  },
  'wrong-content-type': (response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<html><script>alert(1)</script></html>');
  },
  'redirect-to-loopback': (response, { headers }) => {
    response.writeHead(307, { location: `https://${headers.host}${stolenPath}` });
    response.end();
  },
  'redirect-to-file': (response) => {
    response.writeHead(302, { location: 'file:///etc/passwd' });
    response.end();
  },
  'reset-in-body': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"kind":', () => response.socket?.destroy());
  },
  'reset-at-once': (response) => void response.socket?.destroy(),
  'claims-1-gb': (response) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': String(1024 * megabyte),
    });
    response.write('{}');
  },
  'sends-too-little': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000' });
    response.write('{}', () => response.socket?.end());
  },
  'malformed-json': (response) => json(response, '{"kind":"AdmissionReview","response":{'),
  'deep-json': (response) => json(response, '['.repeat(megabyte) + ']'.repeat(megabyte)),
  'huge-number': (response) =>
    json(response, `{"response":{"allowed":true,"status":{"code":1${'0'.repeat(megabyte)}}}}`),
  'names-of-object-prototype': (response) =>
    json(response, '{"__proto__":{"allowed":true},"constructor":{"prototype":{"allowed":true}}}'),
  'gzip-bomb': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(bomb);
  },
  'invalid-gzip': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end('this is no gzip');
  },
  'not-http': ({ socket }) => void socket?.end('SSH-2.0-OpenSSH_9.9\r\n'),
  'informational-flood': ({ socket }) => {
    const chunk = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1000);
    repeat(socket, () => socket?.write(chunk));
  },
  'unwanted-upgrade': ({ socket }) =>
    void socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
  'two-responses': ({ socket }) =>
    void socket?.end(
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nstolen',
    ),
  'conflicting-lengths': ({ socket }) =>
    void socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 20\r\n\r\n{}'),
  'malformed-chunks': ({ socket }) =>
    void socket?.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzzzz\r\n{}\r\n'),
  'endless-chunk-extension': ({ socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;');
    flood(socket);
  },
  'endless-trailers': ({ socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n');
    repeat(socket, () => socket?.write('x-trailer: x\r\n'.repeat(5000)));
  },
};

const stolenPath = '/stolen';
/** 256 MB of spaces. */
const bomb = gzipSync(Buffer.alloc(256 * megabyte, ' '));

export interface HostileServer {
  readonly port: number;
  /** PEM. */
  readonly ca: string;
  /** How often the target of its redirects was requested since the last call. */
  takeFollowedRedirects(): number;
  close(): Promise<void>;
}

/** `serve` answers paths that name no behaviour. */
export async function startHostileServer(host: string, serve: Behaviour): Promise<HostileServer> {
  const ca = await createCA('hostile', Date.now());
  const pair = await issueServingCertificate(
    ca,
    { name: 'hostile', hostNames: ['localhost', host] },
    Date.now(),
  );
  let followed = 0;
  const server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    response.on('error', () => {});
    request.on('error', () => {}).resume();
    const path = new URL(request.url ?? '/', 'https://localhost').pathname;
    if (path.endsWith(stolenPath)) followed++;
    (behaviours[path.slice(path.lastIndexOf('/') + 1)] ?? serve)(response, request);
  });
  server.on('secureConnection', (socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    ca: ca.certificate,
    takeFollowedRedirects() {
      const count = followed;
      followed = 0;
      return count;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function json(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(text);
}

interface Closeable {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** Acts every 10 ms until the connection is closed. */
function repeat(connection: Closeable | null, act: () => void): void {
  if (!connection) return;
  const timer = setInterval(act, 10);
  connection.once('close', () => clearInterval(timer));
}

/** Writes as long as the peer reads. */
function flood(to: (Closeable & NodeJS.WritableStream) | null): void {
  const chunk = ' '.repeat(64 * 1024);
  const more = () => {
    while (to && !to.destroyed && to.write(chunk));
  };
  to?.on('drain', more);
  more();
}
