// Sends requests from its own thread, so that the thread of the server does only the work of the server.
import { request } from 'node:https';
import { parentPort, workerData } from 'node:worker_threads';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
}

/** The parts of a response that tests read. */
const mostText = 20_000;

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
  sent.on('error', () => parentPort!.postMessage({ code: 0, text: '' }));
  sent.on('response', (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      if (text.length < mostText) text += chunk;
    });
    response.on('error', () => {});
    response.once('close', () =>
      parentPort!.postMessage({ code: response.statusCode, text: text.slice(0, mostText) }),
    );
  });
  sent.end(body);
});
