import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { EmbedOptions } from '../../src/index.ts';
import type { ServerUnderTest } from './server-under-test.ts';
import { startServer } from './servers.ts';

/** A response, with its body parsed if it is JSON. */
export interface TestResponse {
  readonly code: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

/** The fields of objects, lists and Status that tests read. */
export interface Body {
  kind: string;
  apiVersion: string;
  metadata: {
    name: string;
    namespace: string;
    uid: string;
    resourceVersion: string;
    generation: number;
    creationTimestamp: string;
    deletionTimestamp: string;
    finalizers: string[];
    labels: Record<string, string>;
    continue: string;
    remainingItemCount: number;
    annotations: Record<string, string>;
  };
  items: Body[];
  data: Record<string, string>;
  spec: Record<string, unknown>;
  status: unknown;
  message: string;
  reason: string;
  code: number;
  details: {
    causes: { reason: string; message: string; field: string }[];
    retryAfterSeconds: number;
    uid: string;
  };
  [field: string]: unknown;
}

export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: Body;
}

/** The HTTP client of a test. */
export abstract class TestClient {
  abstract readonly url: string;

  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> {
    const response = await fetch(this.url + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      parsed = undefined;
    }
    return { code: response.status, headers: response.headers, text, body: parsed as Body };
  }

  get = (path: string, headers?: Record<string, string>) => this.request('GET', path, undefined, headers);
  post = (path: string, body: unknown) => this.request('POST', path, body);
  put = (path: string, body: unknown) => this.request('PUT', path, body);
  delete = (path: string, body?: unknown) => this.request('DELETE', path, body);

  /** Creates a namespace with a unique name, and returns the path of a resource in it. */
  async namespace(resource = 'configmaps'): Promise<string> {
    const { body } = await this.post('/api/v1/namespaces', { metadata: { generateName: 'test-' } });
    return `/api/v1/namespaces/${body.metadata.name}/${resource}`;
  }

  /** Opens a watch; `next()` resolves to its events one by one, to undefined at the end. */
  async watch(path: string): Promise<WatchReader> {
    const abort = new AbortController();
    const response = await fetch(this.url + path, { signal: abort.signal });
    assert.equal(response.status, 200);
    return new WatchReader(response.body!, () => abort.abort());
  }
}

/** The server of a test file. */
export class TestServer extends TestClient {
  server!: ServerUnderTest;

  get url(): string {
    return this.server.url;
  }
}

export class WatchReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #decoder = new TextDecoder();
  readonly close: () => void;
  #text = '';

  constructor(body: ReadableStream<Uint8Array>, close: () => void) {
    this.#chunks = body[Symbol.asyncIterator]();
    this.close = close;
  }

  async next(): Promise<WatchEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n');
      if (end >= 0) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        return JSON.parse(line) as WatchEvent;
      }
      const { value, done } = await this.#chunks.next();
      if (done) return undefined;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  /** The remaining events, once the stream has ended. */
  async rest(): Promise<WatchEvent[]> {
    const events: WatchEvent[] = [];
    for (let event = await this.next(); event; event = await this.next()) events.push(event);
    return events;
  }
}

/** Starts a server before the tests of the file and stops it after them. */
export function testServer(options: Partial<EmbedOptions> = {}): TestServer {
  const test = new TestServer();
  before(async () => {
    test.server = await startServer(options);
  });
  after(() => test.server.stop());
  return test;
}

/** A short form of events: `ADDED name`. */
export const summarize = (events: readonly WatchEvent[]) =>
  events.map(({ type, object }) => `${type} ${object.metadata?.name ?? object.reason ?? ''}`.trim());
