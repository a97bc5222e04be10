/**
 * API Priority and Fairness: classifies requests, estimates their work, and decides when each is executed.
 *
 * Invariants:
 * - Every request matches exactly one FlowSchema: the first by precedence and name, else `catch-all`.
 * - The levels `exempt` and `catch-all` always exist, whatever is stored.
 * - A deleted level serves its queued requests before it is removed.
 */
import type { FlowSchema } from '../apis/flowcontrol/flowschema.ts';
import type { PriorityLevelConfiguration } from '../apis/flowcontrol/prioritylevelconfiguration.ts';
import type { Clock } from '../base/clock.ts';
import type { Dialect } from '../dialect/index.ts';
import type { Registry, ServedResource } from '../kind/registry.ts';
import { requestedTimeoutMs } from '../request/http-request.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import type { ListCache } from '../store/lists/list-cache.ts';
import type { WatchHub } from '../store/watch/hub.ts';
import type { Exchange, HttpExchange, Seat } from '../transport/exchange.ts';
import { Borrowing } from './borrowing.ts';
import { effectiveConfiguration } from './digest.ts';
import { EffectiveFlowSchema, Flow } from './flow.ts';
import type { FlowMetrics } from './flow-metrics.ts';
import type { LevelConfiguration } from './limits.ts';
import { PriorityLevel, type QueuedRequest, type WorkEstimate } from './priority-level.ts';
import { LocalSeats, type SeatsFactory } from './seats.ts';

export interface FlowControlDependencies {
  readonly clock: Clock;
  readonly dialect: Pick<Dialect, 'headers'>;
  readonly metrics: FlowMetrics;
  readonly workEstimator: Pick<WorkEstimator, 'estimate'>;
  /** Seats of the whole server. */
  readonly seats: number;
  readonly requestTimeoutMs: number;
  /** Absent on a server with one serving thread. */
  readonly sharedSeats?: { readonly seatsOf: SeatsFactory; readonly adjustsLimits: boolean } | undefined;
}

/** A request waits in its queue for at most a fourth of its timeout, and never longer than `maxWaitMs`. */
const waitDivisor = 4;
const maxWaitMs = 60_000;
/** Bounds the classification cache per user to about 100 KB, since clients choose paths. */
const maxCachedKeys = 512;
const maxCachedKeyLength = 128;

export class FlowControl {
  readonly levels = new Map<string, PriorityLevel>();
  readonly #dependencies: FlowControlDependencies;
  readonly #borrowing: Borrowing;
  #schemas: readonly EffectiveFlowSchema[] = [];
  #catchAll!: EffectiveFlowSchema;
  /** Namespaces named by some rule: only these affect classification. */
  #namespaces: ReadonlySet<string> = new Set();
  /** Cached classifications, by cache key: the flow, or the schema if the flow depends on the request's namespace. */
  #classified = new WeakMap<User, Map<string, EffectiveFlowSchema | Flow>>();
  /** The last configuration, which is applied again when a deleted level has become idle. */
  #stored: { schemas: readonly FlowSchema[]; levels: readonly PriorityLevelConfiguration[] } = {
    schemas: [],
    levels: [],
  };

  constructor(dependencies: FlowControlDependencies) {
    this.#dependencies = dependencies;
    const { clock, metrics, sharedSeats } = dependencies;
    const isFollower = sharedSeats?.adjustsLimits === false;
    this.#borrowing = new Borrowing(this.levels, {
      clock,
      metrics,
      isFollower,
      isShared: sharedSeats !== undefined,
    });
    this.configure([], []);
  }

  /** Applies the stored configuration. */
  configure(schemas: readonly FlowSchema[], levels: readonly PriorityLevelConfiguration[]): void {
    const { metrics, seats, dialect } = this.#dependencies;
    this.#stored = { schemas, levels };
    const effective = effectiveConfiguration(schemas, levels, this.levels, seats);
    for (const name of this.levels.keys()) if (!effective.levels.has(name)) this.levels.delete(name);
    for (const [name, configuration] of effective.levels) {
      const level = this.levels.get(name);
      if (level) level.configuration = configuration;
      else this.levels.set(name, this.#makeLevel(name, configuration));
    }
    this.#borrowing.adjust();
    this.#schemas = effective.schemas.map(({ schema, levelUid }) => {
      const { flowSchemaUid, priorityLevelUid } = dialect.headers;
      const level = this.levels.get(schema.spec.priorityLevelConfiguration.name)!;
      const headers = [flowSchemaUid, schema.metadata.uid ?? '', priorityLevelUid, levelUid];
      return new EffectiveFlowSchema(schema, level, metrics, headers);
    });
    this.#catchAll = this.#schemas.find(({ name }) => name === 'catch-all')!;
    this.#namespaces = effective.namespaces;
    this.#classified = new WeakMap();
  }

  /** Returns a seat, a promise of one, or the Retry-After seconds of a rejected request. */
  admit(exchange: HttpExchange): Seat | number | Promise<Seat | number> {
    const flow = this.classify(exchange.user, exchange.info);
    const { schema } = flow;
    const { level } = schema;
    exchange.responseHeaders = schema.headers;
    const request = level.arrive(flow, this.#dependencies.workEstimator.estimate(exchange, flow), exchange);
    if (typeof request === 'string') {
      flow.series.rejected(request).value++;
      return level.retryAfter.recordRejection(this.#dependencies.clock.elapsed());
    }
    return request.state === 'executing' ? request : this.#wait(request, level, exchange);
  }

  /** The flow of a request: its FlowSchema and flow distinguisher. */
  classify(user: User, info: RequestInfo): Flow {
    const key = this.#cacheKeyOf(info);
    let userMatches = this.#classified.get(user);
    if (userMatches === undefined) {
      userMatches = new Map();
      this.#classified.set(user, userMatches);
    }
    let match = userMatches.get(key);
    if (match === undefined) {
      const schema = this.#schemas.find((candidate) => candidate.matches(user, info)) ?? this.#catchAll;
      match = schema.isByNamespace ? schema : schema.flowOf(user, info);
      if (key.length <= maxCachedKeyLength) {
        if (userMatches.size === maxCachedKeys) userMatches.clear();
        userMatches.set(key, match);
      }
    }
    return match instanceof Flow ? match : match.flowOf(user, info);
  }

  close(): void {
    this.#borrowing.close();
  }

  /** The attributes that rules can distinguish, as a cache key. */
  #cacheKeyOf({ isResource, verb, group, resource, subresource, namespace, path }: RequestInfo): string {
    if (!isResource) return `${verb} ${path}`;
    const matchedNamespace = namespace === '' || this.#namespaces.has(namespace) ? namespace : '*';
    return `${verb} ${group}/${resource}/${subresource} ${matchedNamespace}`;
  }

  /** Resolves to the seat once the request is dispatched, or to the Retry-After seconds once it is rejected. */
  #wait(request: QueuedRequest, level: PriorityLevel, exchange: HttpExchange): Promise<Seat | number> {
    const { clock, requestTimeoutMs: requestTimeout } = this.#dependencies;
    const { signal } = exchange;
    const timeoutMs = exchange.info.verb === 'watch' ? requestTimeout : timeoutOf(exchange, requestTimeout);
    return new Promise((resolve) => {
      const onAbort = () => {
        request.flow.series.rejected('cancelled').value++;
        level.cancel(request, 'cancelled');
      };
      const cancelTimer = clock.after(Math.min(timeoutMs / waitDivisor, maxWaitMs), () => {
        request.flow.series.rejected('time-out').value++;
        level.cancel(request, 'time-out');
      });
      request.onDecision = (executes) => {
        cancelTimer();
        signal.removeEventListener('abort', onAbort);
        resolve(executes ? request : level.retryAfter.recordRejection(clock.elapsed()));
      };
      signal.addEventListener('abort', onAbort);
      if (signal.aborted) onAbort();
    });
  }

  #makeLevel(name: string, configuration: LevelConfiguration): PriorityLevel {
    const { clock, metrics, sharedSeats } = this.#dependencies;
    // An idle level that is quiescing is left out of the next configuration.
    const onIdle = () => this.configure(this.#stored.schemas, this.#stored.levels);
    const seats = sharedSeats?.seatsOf(name) ?? new LocalSeats();
    return new PriorityLevel(name, configuration, clock, metrics.level(name), onIdle, seats);
  }
}

function timeoutOf(exchange: HttpExchange, requestTimeout: number): number {
  return Math.min(requestedTimeoutMs(exchange) ?? requestTimeout, requestTimeout);
}

/** Objects read per seat. */
const objectsPerSeat = 100;
/** Watchers notified per seat. */
const watchesPerSeat = 10;
/** Time to notify the watchers of one seat, in milliseconds. */
const notifyMs = 5;

/** Maximum seats of a request, in total and as a fraction of the level's nominal limit. */
const maxRequestSeats = 10;
const maxRequestFraction = 0.15;

/** The work of a request that executes with one seat and notifies few or no watchers. */
export const oneSeat: WorkEstimate = { seats: 1, finalSeats: 0, finalMs: 0 };
const writeVerbs = new Set(['create', 'update', 'patch', 'delete']);

export interface WorkEstimatorSources {
  readonly registry: Pick<Registry, 'find'>;
  readonly lists: Pick<ListCache, 'count'>;
  readonly hub: Pick<WatchHub, 'countWatchers' | 'watcherCount'>;
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
    if (info.verb === 'list' || info.verb === 'watch') return this.#estimateRead(exchange, flow);
    return writeVerbs.has(info.verb) ? this.#estimateWrite(exchange, flow) : oneSeat;
  }

  #estimateRead({ info, query }: Exchange, flow: Flow): WorkEstimate {
    if (info.name !== '') return oneSeat;
    // Only watches that send initial events do more than wait.
    if (info.verb === 'watch' && query.get('sendInitialEvents') !== 'true') return oneSeat;
    const resource = this.#resourceOf(info);
    if (resource === undefined) return oneSeat;
    const maxSeats = maxSeatsAt(flow.schema.level);
    const maxObjects = maxSeats * objectsPerSeat;
    const selects = query.has('labelSelector') || query.has('fieldSelector');
    // A selector also reads the objects that it does not return.
    const limit = selects ? 0 : Number(query.get('limit') ?? 0);
    const maxCount = limit > 0 && limit < maxObjects ? limit : maxObjects;
    const range = resource.range(resource.definition.namespaced ? info.namespace : '');
    // Without an index there is no count: the first list of a resource builds the index, which is expensive.
    const count = this.#sources.lists.count(resource.prefix, range, maxCount) ?? maxObjects;
    const seats = Math.min(maxSeats, Math.ceil(Math.min(count, maxCount) / objectsPerSeat));
    return seats <= 1 ? oneSeat : { seats, finalSeats: 0, finalMs: 0 };
  }

  #estimateWrite({ info }: Exchange, flow: Flow): WorkEstimate {
    // Tokens are not stored, so no watcher is notified.
    if (info.subresource === 'token' && info.resource === 'serviceaccounts') return oneSeat;
    const resource = this.#resourceOf(info);
    if (resource === undefined) return oneSeat;
    const { hub } = this.#sources;
    const namespace = resource.definition.namespaced ? info.namespace : '';
    const watchers = hub.watcherCount === 0 ? 0 : hub.countWatchers(resource.prefix, namespace, info.name);
    flow.series.watchers.observe(watchers);
    if (watchers < watchesPerSeat) return oneSeat;
    const neededSeats = Math.ceil(watchers / watchesPerSeat);
    const finalSeats = Math.min(neededSeats, maxSeatsAt(flow.schema.level));
    // Fewer seats take longer: the work stays the same.
    return { seats: 1, finalSeats, finalMs: (neededSeats * notifyMs) / finalSeats };
  }

  #resourceOf({ group, version, resource }: Exchange['info']): ServedResource | undefined {
    return this.#sources.registry.find(group, version, resource);
  }
}

/** Maximum seats of one request, so that a flow's requests can execute beside those of other flows. */
function maxSeatsAt({ settings: { queues, handSize }, limits: { nominal } }: PriorityLevel): number {
  if (queues === 0) return maxRequestSeats;
  const seats = Math.floor(Math.min(maxRequestFraction * nominal, nominal / handSize));
  return Math.max(1, Math.min(maxRequestSeats, seats));
}
