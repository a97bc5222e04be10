/**
 * Clients of several servers with the behaviour of a client library and a load balancer: requests go to ready servers in
 * turn; a read is retried after a lost connection, any request after Retry-After; a watch that has ended is resumed after
 * its last event. Any other error that a program would see is a failure.
 */
import { setTimeout } from 'node:timers/promises';
import { TestClient, type WatchEvent, type WatchReader } from '../support/client.ts';

export interface LoadOptions {
  readonly servers: readonly string[];
  /** The interval of readiness checks, in milliseconds. */
  readonly lookEvery: number;
  readonly writers: number;
  readonly watchers: number;
}

interface Outcome {
  /** Errors that a program would see. */
  readonly failures: readonly string[];
  /** How often a watch was resumed. */
  readonly resumed: number;
  /** The revisions of all writes, in order. */
  readonly writes: readonly number[];
  /** The revisions that each watcher received, in order. */
  readonly heard: readonly (readonly number[])[];
}

export interface Load {
  /** Resolves after this many more writes. */
  written(count: number): Promise<void>;
  /** Resolves once exactly this many servers are ready, and the requests to others have ended. */
  ready(count: number): Promise<void>;
  end(): Promise<Outcome>;
}

const path = '/api/v1/namespaces/default/configmaps';
const mostRetries = 10;

export async function startLoad(terms: LoadOptions): Promise<Load> {
  const load = new RunningLoad(terms);
  await load.begin();
  return load;
}

class At extends TestClient {
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
  }
}

class RunningLoad implements Load {
  readonly #terms: LoadOptions;
  readonly #failures: string[] = [];
  readonly #writes: number[] = [];
  readonly #heard: number[][] = [];
  readonly #open = new Set<WatchReader>();
  readonly #underWay = new Set<Promise<unknown>>();
  #ready: readonly At[] = [];
  #asked = 0;
  #resumed = 0;
  #isOver = false;
  #last = 0;
  #looking: Promise<void> | undefined;
  #writing: Promise<unknown> | undefined;
  #watching: Promise<unknown> | undefined;

  constructor(terms: LoadOptions) {
    this.#terms = terms;
  }

  async begin(): Promise<void> {
    const { servers, writers, watchers } = this.#terms;
    this.#looking = this.#look();
    await this.ready(servers.length);
    const { body } = await this.#retrying('GET', path);
    const from = Number(body.metadata.resourceVersion);
    this.#heard.push(...Array.from({ length: watchers }, () => []));
    this.#watching = Promise.all(this.#heard.map((heard) => this.#watch(heard, from)));
    this.#writing = Promise.all(Array.from({ length: writers }, (_, n) => this.#write(`c${n}`)));
  }

  async written(count: number): Promise<void> {
    const expected = this.#writes.length + count;
    while (this.#writes.length < expected && this.#failures.length === 0) await setTimeout(10);
  }

  async ready(count: number): Promise<void> {
    while (this.#ready.length !== count) await setTimeout(10);
    await Promise.allSettled(this.#underWay);
  }

  async end(): Promise<Outcome> {
    this.#isOver = true;
    await this.#writing;
    this.#last = Math.max(0, ...this.#writes);
    const isBehind = (heard: readonly number[]) => (heard.at(-1) ?? 0) < this.#last;
    while (this.#failures.length === 0 && this.#heard.some(isBehind)) await setTimeout(10);
    for (const reader of this.#open) reader.close();
    await Promise.all([this.#watching, this.#looking]);
    const writes = this.#writes.toSorted((a, b) => a - b);
    return { failures: this.#failures, resumed: this.#resumed, writes, heard: this.#heard };
  }

  async #look(): Promise<void> {
    const all = this.#terms.servers.map((url) => new At(url));
    while (!this.#isOver) {
      const codes = await Promise.all(all.map((at) => at.get('/readyz').catch(() => ({ code: 0 }))));
      this.#ready = all.filter((_, i) => codes[i]!.code === 200);
      await setTimeout(this.#terms.lookEvery);
    }
  }

  get #next(): At {
    return this.#ready[this.#asked++ % this.#ready.length]!;
  }

  async #write(name: string): Promise<void> {
    try {
      const created = await this.#retrying('POST', path, { metadata: { name }, data: { n: '0' } });
      for (let { body } = created, n = 1; ; n++) {
        this.#writes.push(Number(body.metadata.resourceVersion));
        if (this.#isOver) return;
        const changed = { ...body, data: { n: String(n) } };
        const [put] = await Promise.all([
          this.#retrying('PUT', `${path}/${name}`, changed),
          this.#retrying('GET', `${path}/${name}`),
        ]);
        body = put.body;
      }
    } catch (error) {
      this.#failures.push(`writing ${name}: ${reasonOf(error)}`);
    }
  }

  async #retrying(method: string, where: string, body?: unknown) {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.#answered(this.#next.request(method, where, body));
        const after = answer.headers.get('retry-after');
        if (answer.code < 300) return answer;
        if (after === null || attempt === mostRetries) throw new Error(`${method} ${where}: ${answer.text}`);
        await setTimeout(Number(after) * 1000);
      } catch (error) {
        if (method !== 'GET' || !isLostConnection(error) || attempt === mostRetries) throw error;
      }
    }
  }

  #answered<T>(request: Promise<T>): Promise<T> {
    this.#underWay.add(request);
    return request.finally(() => this.#underWay.delete(request));
  }

  async #watch(heard: number[], from: number): Promise<void> {
    try {
      for (let last = from; !this.#isDone(heard); this.#resumed++) {
        const query = `?watch=1&allowWatchBookmarks=true&resourceVersion=${last}`;
        const reader = await this.#answered(this.#next.watch(path + query)).catch((error: unknown) => {
          if (!isLostConnection(error)) throw error;
        });
        if (!reader) continue;
        this.#open.add(reader);
        last = await this.#hear(reader, heard, last);
        this.#open.delete(reader);
      }
    } catch (error) {
      this.#failures.push(`watching: ${reasonOf(error)}`);
    }
  }

  #isDone(heard: readonly number[]): boolean {
    return this.#isOver && this.#last > 0 && (heard.at(-1) ?? 0) >= this.#last;
  }

  async #hear(reader: WatchReader, heard: number[], from: number): Promise<number> {
    let last = from;
    try {
      for (let event = await reader.next(); event; event = await reader.next()) {
        last = revisionOf(event);
        if (event.type !== 'BOOKMARK') heard.push(last);
      }
    } catch (error) {
      if (!isLostConnection(error) && !this.#isDone(heard)) throw error;
    }
    return last;
  }
}

function revisionOf({ type, object }: WatchEvent): number {
  if (type === 'ERROR') throw new Error(`the watch ended with ${object.code}: ${object.message}`);
  return Number(object.metadata.resourceVersion);
}

/** Errors that a client library treats as no response, and retries reads. */
function isLostConnection(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as { code?: string } | undefined) : undefined;
  return cause?.code === 'ECONNRESET' || cause?.code === 'UND_ERR_SOCKET';
}

const reasonOf = (error: unknown) =>
  error instanceof Error ? `${error.message} ${error.cause ?? ''}` : String(error);
