import { Agent, request } from 'node:http';

/** The result of a request. Without a code there was no response; `sent` is whether the server may have received it. */
export type Answer =
  | { readonly code: number; readonly body: unknown }
  | { readonly code: 0; readonly sent: boolean };

/** The timeout of a request. */
const PATIENCE_MS = 12_000;

const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 });

export interface Sent {
  readonly body?: unknown;
  readonly contentType?: string;
}

export function ask(
  url: string,
  method: string,
  path: string,
  { body, contentType }: Sent = {},
): Promise<Answer> {
  return new Promise((resolve) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers =
      text === undefined
        ? {}
        : { 'content-type': contentType ?? 'application/json', 'content-length': Buffer.byteLength(text) };
    let connected = false;
    const asking = request(url + path, { method, headers, agent, timeout: PATIENCE_MS });
    const patience = setTimeout(() => asking.destroy(new Error('no answer')), PATIENCE_MS);
    const end = (answer: Answer) => {
      clearTimeout(patience);
      resolve(answer);
    };
    asking.on('socket', (socket) => {
      connected = !socket.connecting;
      if (!connected) socket.once('connect', () => (connected = true));
    });
    asking.on('error', () => end({ code: 0, sent: connected }));
    asking.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => end({ code: 0, sent: true }));
      response.on('end', () => {
        if (!response.complete) return end({ code: 0, sent: true });
        try {
          end({ code: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) });
        } catch {
          end({ code: 0, sent: true });
        }
      });
    });
    asking.end(text);
  });
}

export interface WatchListener {
  line(text: string): void;
  /** It has ended, or never began. */
  end(hasBegun: boolean): void;
}

/** Opens a watch. Returns how to disconnect it. */
export function openWatch(url: string, path: string, listener: WatchListener): () => void {
  // A watch has its own connection, so that disconnecting it ends no other request.
  const asking = request(url + path, { agent: false });
  const patience = setTimeout(() => asking.destroy(new Error('no answer')), PATIENCE_MS);
  let isOver = false;
  let hasBegun = false;
  const end = () => {
    clearTimeout(patience);
    if (isOver) return;
    isOver = true;
    listener.end(hasBegun);
  };
  asking.on('error', end);
  asking.on('response', (response) => {
    clearTimeout(patience);
    hasBegun = response.statusCode === 200;
    let rest = '';
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      if (!hasBegun) return;
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (!isOver) listener.line(line);
    });
    response.on('error', end);
    response.on('close', end);
  });
  asking.end();
  return () => {
    asking.destroy();
    end();
  };
}
