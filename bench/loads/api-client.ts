// A keep-alive HTTPS client of the benchmark for setup and single requests.
import { Agent, request } from 'node:https';
import type { Side } from '../sides/side.ts';

export interface ApiResponse {
  readonly status: number;
  readonly body: string;
  readonly bytes: number;
}

type Headers = Readonly<Record<string, string>>;

export class ApiClient {
  readonly #side: Side;
  readonly #agent: Agent;

  constructor(side: Side, connections: number) {
    this.#side = side;
    // The servers under test create their certificates for this run.
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, rejectUnauthorized: false });
  }

  send(method: string, path: string, body?: string, extra: Headers = {}): Promise<ApiResponse> {
    const headers: Record<string, string | number> = { authorization: `Bearer ${this.#side.token}` };
    if (body !== undefined) {
      headers['content-type'] = 'application/json';
      headers['content-length'] = Buffer.byteLength(body);
    }
    Object.assign(headers, extra);
    return new Promise((resolve, reject) => {
      const clientRequest = request({
        host: '127.0.0.1',
        port: this.#side.port,
        method,
        path,
        headers,
        agent: this.#agent,
      });
      clientRequest.once('error', reject);
      clientRequest.once('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const body = Buffer.concat(chunks);
          resolve({ status: response.statusCode ?? 0, body: body.toString(), bytes: body.length });
        });
      });
      clientRequest.end(body);
    });
  }

  /** Throws unless the response has one of these status codes. */
  async expect(
    codes: readonly number[],
    method: string,
    path: string,
    body?: string,
    headers?: Headers,
  ): Promise<ApiResponse> {
    const response = await this.send(method, path, body, headers);
    if (!codes.includes(response.status)) {
      throw new Error(
        `${this.#side.title}: ${method} ${path} answered ${response.status}: ${response.body.slice(0, 300)}`,
      );
    }
    return response;
  }

  close(): void {
    this.#agent.destroy();
  }
}
