// The process of the bare server: bare-server.ts FOLDER PORT LIST_OBJECTS. It returns the same bytes for every get and for
// every list, and sends the body of every PUT to all watchers as an event that is encoded once. HTTP/1.1 is on the port,
// HTTP/2 on the next one.
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createSecureServer, type ServerHttp2Stream } from 'node:http2';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { configMap, tickOf } from '../objects.ts';

const [folder, port, listObjects] = process.argv.slice(2);
if (folder === undefined) throw new Error('bare-server.ts FOLDER PORT LIST_OBJECTS');

const oneObject = Buffer.from(configMap(1, tickOf(0, 0)));
const items = Array.from({ length: Number(listObjects) }, (_, i) => configMap(i, tickOf(0, 0)));
const list = Buffer.from(
  `{"kind":"ConfigMapList","metadata":{"resourceVersion":"1"},"items":[${items.join(',')}]}`,
);
const watchers = new Set<Socket>();
const http2Watchers = new Set<ServerHttp2Stream>();

function answer(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}

function sendToWatchers(object: Buffer): void {
  const event = `{"type":"MODIFIED","object":${object.toString('latin1')}}\n`;
  const bytes = Buffer.from(event, 'latin1');
  for (const watcher of http2Watchers) watcher.write(bytes);
  const chunk = Buffer.from(`${event.length.toString(16)}\r\n${event}\r\n`, 'latin1');
  for (const watcher of watchers) watcher.write(chunk);
}

const tls = {
  cert: readFileSync(join(folder, 'server.crt')),
  key: readFileSync(join(folder, 'server.key')),
};
const server = createServer(tls);

server.on('request', (request, response) => {
  const url = request.url ?? '';
  if (request.method !== 'GET') {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      answer(response, body);
      if (request.method === 'PUT') sendToWatchers(body);
    });
  } else if (url.includes('watch=1')) {
    const socket = request.socket;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    watchers.add(socket);
    socket.once('close', () => watchers.delete(socket));
  } else {
    answer(response, url.includes('/configmaps/') ? oneObject : list);
  }
});

server.listen(Number(port), '127.0.0.1');

const http2Server = createSecureServer({ ...tls, settings: { maxConcurrentStreams: 250 } });

function answerStream(stream: ServerHttp2Stream, body: Buffer): void {
  stream.respond({ ':status': 200, 'content-type': 'application/json', 'content-length': body.length });
  stream.end(body);
}

http2Server.on('stream', (stream, headers) => {
  stream.on('error', () => {});
  const url = headers[':path'] ?? '';
  if (headers[':method'] !== 'GET') {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => answerStream(stream, Buffer.concat(chunks)));
  } else if (url.includes('watch=1')) {
    stream.respond({ ':status': 200, 'content-type': 'application/json' });
    http2Watchers.add(stream);
    stream.once('close', () => http2Watchers.delete(stream));
  } else {
    answerStream(stream, url.includes('/configmaps/') ? oneObject : list);
  }
});

http2Server.listen(Number(port) + 1, '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
