import type { Exchange } from '../http/exchange.ts';
import type { Registry, ServedResource } from '../resource/registry.ts';
import type { Lists } from '../store/lists/lists.ts';
import type { WatchHub } from '../store/watch/hub.ts';
import type { Flow } from './flow.ts';
import type { Work } from './ticket.ts';

/** Reading so many objects is worth a seat. */
const objectsPerSeat = 100;
/** Telling so many watches is. */
const watchesPerSeat = 10;
/** For about so long, in milliseconds. */
const tellingMs = 5;

export const oneSeat: Work = { seats: 1, finalSeats: 0, finalMs: 0 };
const changing = new Set(['create', 'update', 'patch', 'delete']);

export interface WidthSources {
  readonly registry: Pick<Registry, 'find'>;
  readonly lists: Pick<Lists, 'count'>;
  readonly hub: Pick<WatchHub, 'watchersOf'>;
}

/** Says how many seats a request takes: a list by how many objects it reads, a write by how many watches hear of it. */
export class Widths {
  readonly #sources: WidthSources;

  constructor(sources: WidthSources) {
    this.#sources = sources;
  }

  of(exchange: Exchange, flow: Flow): Work {
    const { info } = exchange;
    if (!info.isResource || info.verb === 'get') return oneSeat;
    if (info.verb === 'list' || info.verb === 'watch') return this.#ofReading(exchange, flow);
    return changing.has(info.verb) ? this.#ofChanging(exchange, flow) : oneSeat;
  }

  #ofReading({ info, query }: Exchange, flow: Flow): Work {
    if (info.name !== '') return oneSeat;
    // Of watches only those that begin with the whole state do more than wait.
    if (info.verb === 'watch' && query.get('sendInitialEvents') !== 'true') return oneSeat;
    const resource = this.#resourceOf(info);
    if (resource === undefined) return oneSeat;
    const { maxSeats } = flow.schema.level;
    const enough = maxSeats * objectsPerSeat;
    const selects = query.has('labelSelector') || query.has('fieldSelector');
    // A selector has to look at what it does not return.
    const limit = selects ? 0 : Number(query.get('limit') ?? 0);
    const atMost = limit > 0 && limit < enough ? limit : enough;
    const range = resource.range(resource.definition.namespaced ? info.namespace : '');
    // What has not been listed yet is laid out first, which is a lot of work.
    const count = this.#sources.lists.count(resource.prefix, range, atMost) ?? enough;
    const seats = Math.min(maxSeats, Math.ceil(Math.min(count, atMost) / objectsPerSeat));
    return seats <= 1 ? oneSeat : { seats, finalSeats: 0, finalMs: 0 };
  }

  #ofChanging({ info }: Exchange, flow: Flow): Work {
    // Nobody hears of a token.
    if (info.subresource === 'token' && info.resource === 'serviceaccounts') return oneSeat;
    const resource = this.#resourceOf(info);
    if (resource === undefined) return oneSeat;
    const { namespaced } = resource.definition;
    const watchers = this.#sources.hub.watchersOf(
      resource.prefix,
      namespaced ? info.namespace : '',
      info.name,
    );
    flow.schema.series.watchers.observe(watchers);
    if (watchers < watchesPerSeat) return oneSeat;
    const wanted = Math.ceil(watchers / watchesPerSeat);
    const finalSeats = Math.min(wanted, flow.schema.level.maxSeats);
    // Narrower takes longer: the work stays the same.
    return { seats: 1, finalSeats, finalMs: (wanted * tellingMs) / finalSeats };
  }

  #resourceOf({ group, version, resource }: Exchange['info']): ServedResource | undefined {
    return this.#sources.registry.find(group, version, resource);
  }
}
