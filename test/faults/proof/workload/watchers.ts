import { setTimeout } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type {
  ListAndWatch,
  ObservedObject,
  RecordedEvent,
  RecordedList,
  RecordedWatcher,
  WatchSession,
} from '../record.ts';
import { ask, openWatch } from './ask.ts';
import { type ApiObject, type Collection, observed } from './collections.ts';
import type { Stage } from './stage.ts';

type WatchLine =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; readonly object: ApiObject }
  | { readonly type: 'ERROR'; readonly object: { readonly code: number } };

/** The annotation of the bookmark that ends the initial events. */
const initialEnd = 'orch.io/initial-events-end';

/**
 * Follows a collection: lists it, or starts a watch with initial events, and watches from there on, at one server after the
 * other. It starts over only after 410.
 */
export class Watcher {
  readonly seen: RecordedWatcher;
  readonly #stage: Stage;
  readonly #collection: Collection;
  readonly #random: Random;
  /** A watcher that never disconnects by itself, so that its events are known in any case. */
  readonly #isSteady: boolean;
  #following: ListAndWatch | undefined;
  #reached = 0;
  #isOver = false;
  #breakOff = () => {};

  constructor(stage: Stage, collection: Collection, name: string, random: Random, isSteady: boolean) {
    this.#stage = stage;
    this.#collection = collection;
    this.#random = random;
    this.#isSteady = isSteady;
    this.seen = { name, collection: collection.name, listsAndWatches: [] };
    stage.record.watchers.push(this.seen);
  }

  /** Its current revision. */
  get reached(): number {
    return this.#reached;
  }

  async run(): Promise<void> {
    for (let server = this.#stage.pickServer(this.#random); !this.#isOver; ) {
      const isAnswered = this.#following ? await this.#watch(server) : await this.#begin(server);
      if (!isAnswered) await setTimeout(this.#random.between(30, 150));
      // A watcher that disconnected by itself waits for a while, so that it has events to catch up with.
      else if (!this.#isSteady)
        await setTimeout(this.#random.between(0, this.#random.isLucky(0.2) ? 5_000 : 400));
      server = this.#stage.pickServer(this.#random);
    }
  }

  stop(): void {
    this.#isOver = true;
    this.#breakOff();
  }

  #begin(server: number): Promise<boolean> {
    return this.#random.isLucky(0.5) ? this.#beginWithList(server) : this.#beginWithState(server);
  }

  async #beginWithList(server: number): Promise<boolean> {
    const began = performance.now();
    const response = await ask(this.#stage.urlOf(server), 'GET', this.#collection.path);
    if (response.code !== 200 || !('body' in response)) return false;
    const { metadata, items } = response.body as ApiObject & { items: readonly ApiObject[] };
    const list = items.map((item) => observed(this.#collection, item));
    this.#follow(this.#listed(server, began, Number(metadata.resourceVersion), list), []);
    return true;
  }

  #listed(server: number, began: number, revision: number, items: readonly ObservedObject[]): RecordedList {
    const collection = this.#collection.name;
    return { collection, server, began, ended: performance.now(), consistency: 'newest', revision, items };
  }

  #follow(list: RecordedList, sessions: WatchSession[]): void {
    this.#following = { list, sessions };
    this.#reached = list.revision;
    this.seen.listsAndWatches.push(this.#following);
  }

  /** A watch with initial events is a list and a watch in one. */
  #beginWithState(server: number): Promise<boolean> {
    const began = performance.now();
    const items: ObservedObject[] = [];
    const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    let events: RecordedEvent[] | undefined;
    return this.#open(server, query, (line) => {
      if (line.type === 'ERROR') return;
      if (events) return this.#take(events, line);
      if (line.type === 'ADDED') items.push(observed(this.#collection, line.object));
      if (line.type !== 'BOOKMARK' || line.object.metadata.annotations?.[initialEnd] === undefined) return;
      const revision = Number(line.object.metadata.resourceVersion);
      events = [];
      this.#follow(this.#listed(server, began, revision, items), [{ server, from: revision, events }]);
    });
  }

  #watch(server: number): Promise<boolean> {
    const from = this.#reached;
    const began = performance.now();
    const events: RecordedEvent[] = [];
    this.#following?.sessions.push({ server, from, events });
    return this.#open(server, `resourceVersion=${from}`, (line) => {
      if (line.type !== 'ERROR') return this.#take(events, line);
      if (line.object.code !== 410) return;
      const collection = this.#collection.name;
      this.#stage.record.expiries.push({
        collection,
        server,
        began,
        ended: performance.now(),
        revision: from,
      });
      this.#following = undefined;
    });
  }

  #take(events: RecordedEvent[], { type, object }: Exclude<WatchLine, { type: 'ERROR' }>): void {
    const at = performance.now();
    const revision = Number(object.metadata.resourceVersion);
    if (type === 'BOOKMARK') events.push({ at, type, revision });
    else events.push({ at, type, object: observed(this.#collection, object) });
    this.#reached = Math.max(this.#reached, revision);
  }

  /** Watches until the watch ends, or this watcher disconnects. Resolves to whether it has begun. */
  #open(server: number, query: string, take: (line: WatchLine) => void): Promise<boolean> {
    return new Promise((resolve) => {
      // The last bookmark of a watch is sent two seconds before its end.
      const seconds = this.#random.between(3, 8);
      const path = `${this.#collection.path}?watch=1&allowWatchBookmarks=true&timeoutSeconds=${seconds}&${query}`;
      const patience = this.#isSteady ? undefined : this.#later(this.#random.between(100, 9_000));
      this.#breakOff = openWatch(this.#stage.urlOf(server), path, {
        line: (text) => take(JSON.parse(text) as WatchLine),
        end(hasBegun) {
          clearTimeout(patience);
          resolve(hasBegun);
        },
      });
    });
  }

  #later(ms: number): NodeJS.Timeout {
    return globalThis.setTimeout(() => this.#breakOff(), ms);
  }
}
