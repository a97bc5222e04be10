// The server of a walk, with both ports, and the objects that the walks create.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MovableClock } from '../../src/base/clock.ts';
import { defaultOptions, type ServerOptions } from '../../src/server/options.ts';
import { runServer } from '../../src/server/server.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';
import { silentLogger } from '../../src/telemetry/log.ts';

/** Tokens of the token file. */
export const tokens = { admin: 'admin-token', jane: 'jane-token' } as const;

export class ConsoleServer {
  readonly clock = new MovableClock();
  #server: RunningServer | undefined;
  #folder = '';
  readonly #options: Partial<ServerOptions>;

  constructor(options: Partial<ServerOptions> = {}) {
    this.#options = options;
    before(async () => {
      this.#folder = await mkdtemp(join(tmpdir(), 'orch-console-'));
      await this.start();
    });
    after(async () => {
      await this.stop();
      await rm(this.#folder, { recursive: true });
    });
  }

  get url(): string {
    return this.#server!.url;
  }

  get secureUrl(): string {
    return this.#server!.secureUrl!;
  }

  async start(ports: { httpPort?: number; securePort?: number } = {}): Promise<void> {
    this.#server = await runServer(
      {
        ...defaultOptions,
        dataDir: this.#folder,
        certDir: join(this.#folder, 'pki'),
        httpPort: 0,
        securePort: 0,
        ...this.#options,
        ...ports,
      },
      {
        clock: this.clock,
        logger: silentLogger,
        staticTokens: [
          { token: tokens.admin, user: 'admin', groups: ['system:masters'] },
          { token: tokens.jane, user: 'jane', groups: [] },
        ],
      },
    );
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  /** Sends a request as the developer and returns the JSON of the response. */
  async request<T = unknown>(
    path: string,
    method = 'GET',
    body?: unknown,
    contentType = 'application/json',
  ): Promise<T> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      ...(body !== undefined && {
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': contentType },
      }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<T>;
  }

  /** Waits until a kind is served. */
  async untilServed(path: string): Promise<void> {
    for (let attempt = 0; attempt < 600; attempt++) {
      const { ok, body } = await fetch(`${this.url}${path}`);
      await body?.cancel();
      if (ok) return;
      await sleep(50);
    }
    throw new Error(`${path} is not served`);
  }

  createConfigMap(name: string, data: Record<string, string> = {}, labels: Record<string, string> = {}) {
    return this.request('/api/v1/namespaces/default/configmaps', 'POST', {
      metadata: { name, labels },
      data,
    });
  }

  remove(resource: string, name: string) {
    return this.request(`/api/v1/namespaces/default/${resource}/${name}`, 'DELETE');
  }
}
