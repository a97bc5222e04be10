// Sends requests from a thread of its own, so that what the server's thread does is the server's work alone.
import { request } from 'node:https';
import { parentPort, workerData } from 'node:worker_threads';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
}

const { port, ca, token } = workerData as { port: number; ca: string; token: string };

parentPort!.on('message', ({ method, path, headers, body }: Sent) => {
  const length = String(Buffer.byteLength(body));
  const sent = request({
    host: '127.0.0.1',
    port,
    ca,
    method,
    path,
    maxHeaderSize: 1024 * 1024,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-length': length, 'content-type': 'application/json' }),
      ...headers,
    },
  });
  sent.on('error', () => parentPort!.postMessage(0));
  sent.on('response', (response) => {
    response.resume();
    response.on('error', () => {});
    response.once('close', () => parentPort!.postMessage(response.statusCode));
  });
  sent.end(body);
});
