// API Priority and Fairness: flows and their FlowSchema.
import type { FlowSchema } from '../apis/flowcontrol/flowschema.ts';
import { flatCopy } from '../base/flat-copy.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import type { FlowMetrics, FlowSeries } from './flow-metrics.ts';
import { type MatchAttributes, matches } from './matching.ts';
import type { PriorityLevel } from './priority-level.ts';
import { dealHand } from './shuffle-sharding.ts';

/**
 * Requests with the same FlowSchema and flow distinguisher, which share the level's queues fairly with other flows.
 */
export class Flow {
  readonly schema: EffectiveFlowSchema;
  readonly distinguisher: string;
  readonly series: FlowSeries;
  #hand: readonly number[] | undefined;

  constructor(schema: EffectiveFlowSchema, distinguisher: string, series: FlowSeries) {
    this.schema = schema;
    this.distinguisher = distinguisher;
    this.series = series;
  }

  /** The indexes of the queues that its requests may wait in, by shuffle sharding. */
  get hand(): readonly number[] {
    if (this.#hand === undefined) {
      const { name, level } = this.schema;
      const { queues, handSize } = level.settings;
      this.#hand = dealHand(name, this.distinguisher, queues, handSize);
    }
    return this.#hand;
  }
}

/** Bounds the cached flows per schema to a few megabytes, since clients choose distinguishers. */
const maxFlows = 4096;
const maxCachedDistinguisherLength = 512;

/** A FlowSchema as requests are matched against it. Recreated whenever the configuration changes. */
export class EffectiveFlowSchema {
  readonly name: string;
  readonly level: PriorityLevel;
  /** Response headers: names and values, alternating. */
  readonly headers: readonly string[];
  readonly #spec: FlowSchema['spec'];
  readonly #metrics: FlowMetrics;
  #series: FlowSeries | undefined;
  readonly #flows = new Map<string, Flow>();

  constructor(
    { metadata, spec }: Pick<FlowSchema, 'metadata' | 'spec'>,
    level: PriorityLevel,
    metrics: FlowMetrics,
    headers: readonly string[],
  ) {
    this.name = metadata.name ?? '';
    this.level = level;
    this.#metrics = metrics;
    this.headers = headers;
    this.#spec = spec;
  }

  matches(user: User, attributes: MatchAttributes): boolean {
    return matches(this.#spec, user, attributes);
  }

  get isByNamespace(): boolean {
    return this.#spec.distinguisherMethod?.type === 'ByNamespace';
  }

  flowOf(user: User, info: Pick<RequestInfo, 'namespace'>): Flow {
    const distinguisher = this.#distinguish(user, info);
    let flow = this.#flows.get(distinguisher);
    if (flow === undefined) {
      // Created with the first flow, so that schemas without requests have no series.
      this.#series ??= this.#metrics.flow(this.name, this.level.name);
      if (distinguisher.length > maxCachedDistinguisherLength)
        return new Flow(this, distinguisher, this.#series);
      if (this.#flows.size === maxFlows) this.#flows.clear();
      // A namespace is a part of the URL.
      const key = flatCopy(distinguisher);
      flow = new Flow(this, key, this.#series);
      this.#flows.set(key, flow);
    }
    return flow;
  }

  #distinguish(user: User, info: Pick<RequestInfo, 'namespace'>): string {
    const type = this.#spec.distinguisherMethod?.type;
    if (type === 'ByUser') return user.name;
    return type === 'ByNamespace' ? info.namespace : '';
  }
}
