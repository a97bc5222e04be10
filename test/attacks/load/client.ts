// An HTTPS client of one user with one connection, for the processes of the load test.
import { Agent, request as httpsRequest } from 'node:https';

export interface LoadRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

export interface LoadResponse {
  readonly status: number;
  readonly text: string;
}

const timeoutMs = 120_000;

export class LoadClient {
  readonly #url: URL;
  readonly #token: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });

  constructor(url: string, token: string) {
    this.#url = new URL(url);
    this.#token = token;
  }

  /** Resolves to the status; the body is read and discarded. */
  async status(request: LoadRequest): Promise<number> {
    return (await this.#send(request, false)).status;
  }

  send(request: LoadRequest): Promise<LoadResponse> {
    return this.#send(request, true);
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Opens a watch. `onText` gets the data, `onEnd` the end of the stream. */
  watch(path: string, onText: (text: string) => void, onEnd: () => void): void {
    const outgoing = httpsRequest({ ...this.#options({ path }), agent: false, rejectUnauthorized: false });
    outgoing.on('response', (response) => {
      response.setEncoding('utf8').on('data', onText).on('close', onEnd);
    });
    outgoing.on('error', onEnd);
    outgoing.end();
  }

  #send(request: LoadRequest, isKept: boolean): Promise<LoadResponse> {
    return new Promise((resolve, reject) => {
      const outgoing = httpsRequest({ ...this.#options(request), agent: this.#agent, timeout: timeoutMs });
      outgoing.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => {
          if (isKept) chunks.push(chunk);
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
        );
        response.on('error', reject);
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('timeout')));
      outgoing.on('error', reject);
      outgoing.end(request.body);
    });
  }

  #options({ method = 'GET', path, headers, body }: LoadRequest) {
    return {
      host: this.#url.hostname,
      port: this.#url.port,
      method,
      path,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
        }),
        ...headers,
      },
    };
  }
}
