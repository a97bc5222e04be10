import { Agent, request } from 'node:https';
import type { Side } from '../sides/side.ts';

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly bytes: number;
}

type Headers = Readonly<Record<string, string>>;

/** A plain keep-alive client with a bounded number of connections. */
export class ApiClient {
  readonly #side: Side;
  readonly #agent: Agent;

  constructor(side: Side, connections: number) {
    this.#side = side;
    // The certificates are made by the servers under test for this run.
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, rejectUnauthorized: false });
  }

  send(method: string, path: string, body?: string, extra: Headers = {}): Promise<Answer> {
    const headers: Record<string, string | number> = { authorization: `Bearer ${this.#side.token}` };
    if (body !== undefined) {
      headers['content-type'] = 'application/json';
      headers['content-length'] = Buffer.byteLength(body);
    }
    Object.assign(headers, extra);
    return new Promise((resolve, reject) => {
      const sent = request({
        host: '127.0.0.1',
        port: this.#side.port,
        method,
        path,
        headers,
        agent: this.#agent,
      });
      sent.once('error', reject);
      sent.once('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const whole = Buffer.concat(chunks);
          resolve({ status: response.statusCode ?? 0, body: whole.toString(), bytes: whole.length });
        });
      });
      sent.end(body);
    });
  }

  /** Sends and throws unless the answer has one of these codes. */
  async expect(
    codes: readonly number[],
    method: string,
    path: string,
    body?: string,
    headers?: Headers,
  ): Promise<Answer> {
    const answer = await this.send(method, path, body, headers);
    if (!codes.includes(answer.status)) {
      throw new Error(
        `${this.#side.title}: ${method} ${path} answered ${answer.status}: ${answer.body.slice(0, 300)}`,
      );
    }
    return answer;
  }

  close(): void {
    this.#agent.destroy();
  }
}
