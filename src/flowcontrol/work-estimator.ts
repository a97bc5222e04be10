// API Priority and Fairness: work estimation.

import type { Registry, ServedResource } from '../kind/registry.ts';
import type { Lists } from '../store/lists/lists.ts';
import type { WatchHub } from '../store/watch/hub.ts';
import type { Exchange } from '../transport/exchange.ts';
import type { Flow } from './flow.ts';
import type { WorkEstimate } from './queue.ts';

/** Objects read per seat. */
const objectsPerSeat = 100;
/** Watchers notified per seat. */
const watchesPerSeat = 10;
/** Time to notify the watchers of one seat, in milliseconds. */
const notifyMs = 5;

export const oneSeat: WorkEstimate = { seats: 1, finalSeats: 0, finalMs: 0 };
const writeVerbs = new Set(['create', 'update', 'patch', 'delete']);

export interface WorkEstimatorSources {
  readonly registry: Pick<Registry, 'find'>;
  readonly lists: Pick<Lists, 'count'>;
  readonly hub: Pick<WatchHub, 'countWatchers'>;
}

/**
 * Estimates the seats of a request: of a list by the number of objects read, of a write by the number of watchers
 * notified.
 */
export class WorkEstimator {
  readonly #sources: WorkEstimatorSources;

  constructor(sources: WorkEstimatorSources) {
    this.#sources = sources;
  }

  estimate(exchange: Exchange, flow: Flow): WorkEstimate {
    const { info } = exchange;
    if (!info.isResource || info.verb === 'get') return oneSeat;
    if (info.verb === 'list' || info.verb === 'watch') return this.#ofRead(exchange, flow);
    return writeVerbs.has(info.verb) ? this.#ofWrite(exchange, flow) : oneSeat;
  }

  #ofRead({ info, query }: Exchange, flow: Flow): WorkEstimate {
    if (info.name !== '') return oneSeat;
    // Only watches that send initial events do more than wait.
    if (info.verb === 'watch' && query.get('sendInitialEvents') !== 'true') return oneSeat;
    const resource = this.#resourceOf(info);
    if (resource === undefined) return oneSeat;
    const { maxSeats } = flow.schema.level;
    const enough = maxSeats * objectsPerSeat;
    const selects = query.has('labelSelector') || query.has('fieldSelector');
    // A selector also reads the objects that it does not return.
    const limit = selects ? 0 : Number(query.get('limit') ?? 0);
    const atMost = limit > 0 && limit < enough ? limit : enough;
    const range = resource.range(resource.definition.namespaced ? info.namespace : '');
    // The first list of a resource builds its index, which is expensive.
    const count = this.#sources.lists.count(resource.prefix, range, atMost) ?? enough;
    const seats = Math.min(maxSeats, Math.ceil(Math.min(count, atMost) / objectsPerSeat));
    return seats <= 1 ? oneSeat : { seats, finalSeats: 0, finalMs: 0 };
  }

  #ofWrite({ info }: Exchange, flow: Flow): WorkEstimate {
    // Tokens are not stored, so no watcher is notified.
    if (info.subresource === 'token' && info.resource === 'serviceaccounts') return oneSeat;
    const resource = this.#resourceOf(info);
    if (resource === undefined) return oneSeat;
    const { namespaced } = resource.definition;
    const watchers = this.#sources.hub.countWatchers(
      resource.prefix,
      namespaced ? info.namespace : '',
      info.name,
    );
    flow.schema.series.watchers.observe(watchers);
    if (watchers < watchesPerSeat) return oneSeat;
    const wanted = Math.ceil(watchers / watchesPerSeat);
    const finalSeats = Math.min(wanted, flow.schema.level.maxSeats);
    // Fewer seats take longer: the work stays the same.
    return { seats: 1, finalSeats, finalMs: (wanted * notifyMs) / finalSeats };
  }

  #resourceOf({ group, version, resource }: Exchange['info']): ServedResource | undefined {
    return this.#sources.registry.find(group, version, resource);
  }
}
