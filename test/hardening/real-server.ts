import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { MovableClock } from '../../src/base/clock.ts';
import { defaultOptions, type ServerOptions } from '../../src/server/options.ts';
import { runServer } from '../../src/server/server.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';
import type { Store } from '../../src/store/store.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { type HttpResponse, PortsClient, type TestRequest } from '../support/http.ts';

export const tokens = { admin: 'admin-token', nobody: 'nobody-token' };
const tokenFile = `${tokens.admin},admin,1,system:masters\n${tokens.nobody},nobody,2\n`;

export interface Json {
  readonly [field: string]: Json;
}

type Prepare = (server: RealServer) => Promise<void>;

/** A complete server on both ports, with memory storage. Started before the tests of the file and stopped after them. */
export class RealServer extends PortsClient {
  readonly clock = new MovableClock();
  /** Every log line, at the highest verbosity. */
  readonly log: string[] = [];
  running!: RunningServer;
  /** Set before `start` to serve these objects. */
  store: Store | undefined;
  readonly #options: Partial<ServerOptions>;
  #dir = '';
  #isStopped = false;

  /** `prepare` creates the objects that the tests need. */
  constructor(options: Partial<ServerOptions> = {}, prepare?: Prepare | 'by hand') {
    super();
    this.#options = options;
    if (prepare === 'by hand') return;
    before(async () => {
      await this.start();
      await prepare?.(this);
    });
    after(() => this.stop());
  }

  /** A server that the test starts and stops itself. */
  static unstarted(): RealServer {
    return new RealServer({}, 'by hand');
  }

  /** `more` adds options that are known only at the start. */
  async start(more: Partial<ServerOptions> = {}): Promise<void> {
    this.#dir = await mkdtemp(join(tmpdir(), 'orch-hardening-'));
    const tokenAuthFile = join(this.#dir, 'tokens.csv');
    await writeFile(tokenAuthFile, tokenFile);
    this.running = await runServer(
      {
        ...defaultOptions,
        storage: 'memory',
        httpPort: 0,
        securePort: 0,
        certDir: join(this.#dir, 'pki'),
        tokenAuthFile,
        verbosity: 10,
        ...this.#options,
        ...more,
      },
      {
        clock: this.clock,
        ...(this.store && { store: this.store }),
        logger: createLogger({
          verbosity: 10,
          destination: { write: (line: string) => void this.log.push(line) },
        }),
      },
    );
    this.plainPort = Number(new URL(this.running.url).port);
    this.securePort = Number(new URL(this.running.secureUrl!).port);
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    await this.running.stop();
    await rm(this.#dir, { recursive: true, force: true });
  }

  get ca(): string {
    return this.running.caCertificate!;
  }

  /** Like `ask`, with a body that is encoded as JSON unless it is a string or bytes. */
  send(method: string, path: string, body: unknown, asked: TestRequest = {}): Promise<HttpResponse> {
    const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const length = String(Buffer.byteLength(text));
    const headers = { 'content-type': 'application/json', 'content-length': length, ...asked.headers };
    return this.ask(path, { ...asked, method, headers, body: text });
  }

  post(path: string, body: unknown, asked: TestRequest = {}): Promise<HttpResponse> {
    return this.send('POST', path, body, asked);
  }

  session(): ClientHttp2Session {
    const session = connectHttp2(`https://127.0.0.1:${this.securePort}`, { ca: this.ca });
    session.on('error', () => {});
    return session;
  }

  /** One HTTP/2 request. */
  async ask2(headers: Record<string, string | string[]>): Promise<{ code: number; text: string }> {
    const session = this.session();
    try {
      return await requestOver(session, headers);
    } finally {
      session.destroy();
    }
  }
}

/** One request on an HTTP/2 session; code 0 without a response. */
export function requestOver(
  session: ClientHttp2Session,
  headers: Record<string, string | string[]>,
): Promise<{ code: number; text: string }> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ authorization: `Bearer ${tokens.admin}`, ...headers });
    let code = 0;
    let text = '';
    stream.setEncoding('utf8');
    stream.on('response', (answered) => {
      code = Number(answered[':status']);
    });
    stream.on('data', (chunk) => {
      text += chunk;
    });
    stream.on('error', reject);
    stream.once('close', () => resolve({ code, text }));
    stream.end();
  });
}

export const parsed = (answer: { readonly text: string }): Json => JSON.parse(answer.text) as Json;
