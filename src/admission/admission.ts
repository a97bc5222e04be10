import type { ApiObject } from '../kind/api-object.ts';
import type { ServedResource } from '../kind/registry.ts';
import type { Api } from '../registry/api.ts';
import type {
  AdmissionControl,
  AdmissionObjects,
  AdmissionOperation,
  AdmissionRequest,
  AdmissionRun,
  AdmissionTarget,
} from '../registry/write/admission-control.ts';
import type { AdmissionMetrics, Durations, StepType } from './admission-metrics.ts';
import { Attributes } from './attributes.ts';
import type { Plugin } from './plugin.ts';

/** Those who have a say in one sort of writes, in the order in which they are asked. */
interface Chain {
  readonly admitting: Step;
  readonly validating: Step;
}

/** Asks some plugins, one after the other, and measures what that takes. */
class Step {
  readonly #asked: readonly {
    readonly plugin: Plugin;
    readonly took: Durations;
  }[];
  readonly #took: Durations;
  readonly #type: StepType;

  constructor(
    plugins: readonly Plugin[],
    type: StepType,
    operation: AdmissionOperation,
    metrics: AdmissionMetrics,
  ) {
    const has = (plugin: Plugin) => (type === 'admit' ? plugin.admit : plugin.validate) !== undefined;
    this.#asked = plugins
      .filter(has)
      .map((plugin) => ({ plugin, took: metrics.ofPlugin(plugin.name, operation, type) }));
    this.#took = metrics.ofStep(operation, type);
    this.#type = type;
  }

  get isEmpty(): boolean {
    return this.#asked.length === 0;
  }

  async take(attributes: Attributes): Promise<void> {
    if (this.isEmpty) return;
    const start = performance.now();
    let since = start;
    for (const { plugin, took } of this.#asked) {
      try {
        const asking = this.#type === 'admit' ? plugin.admit!(attributes) : plugin.validate!(attributes);
        if (asking) await asking;
      } catch (error) {
        took.rejected(since);
        this.#took.rejected(start);
        throw error;
      }
      took.passed(since);
      since = performance.now();
    }
    this.#took.passed(start);
  }
}

/** Asks the plugins of one server about writes. */
export class Admission implements AdmissionControl {
  #plugins: readonly Plugin[] = [];
  /** By resource, then by operation and subresource; null where nobody is concerned. */
  #chains = new Map<ServedResource, Map<string, Chain | null>>();

  #metrics: AdmissionMetrics | undefined;

  /** From now on these are asked, in this order. */
  use(plugins: readonly Plugin[], metrics: AdmissionMetrics): void {
    this.#plugins = plugins;
    this.#metrics = metrics;
    this.reconsider();
  }

  /** The store has become another one. */
  reset(): void {
    for (const plugin of this.#plugins) plugin.reset?.();
    this.reconsider();
  }

  async close(): Promise<void> {
    await Promise.all(this.#plugins.map((plugin) => plugin.close?.()));
  }

  /** Whom a sort of writes concerns may have become others. */
  reconsider(): void {
    this.#chains = new Map();
  }

  /** Whether anybody has a say in such writes. */
  concerns(sort: AdmissionTarget): boolean {
    return this.#chain(sort) !== null;
  }

  /** Whether anybody may change what is written by such writes, rather than only look at it. */
  mayMutate(sort: AdmissionTarget): boolean {
    const chain = this.#chain(sort);
    return chain !== null && !chain.admitting.isEmpty;
  }

  /** A write that somebody is to be asked about; undefined where that is nobody. */
  begin(api: Api, asked: AdmissionRequest, subject: AdmissionObjects): AdmissionRun | undefined {
    const { resource, subresource } = asked.target;
    const chain = this.#chain({ resource, subresource, operation: asked.operation });
    return chain ? new ChainRun(chain, new Attributes(api, asked, subject)) : undefined;
  }

  #chain(sort: AdmissionTarget): Chain | null {
    let ofResource = this.#chains.get(sort.resource);
    if (!ofResource) {
      ofResource = new Map();
      this.#chains.set(sort.resource, ofResource);
    }
    const key = keyOf(sort.operation, sort.subresource);
    let chain = ofResource.get(key);
    if (chain === undefined) {
      chain = this.#chainFor(sort);
      ofResource.set(key, chain);
    }
    return chain;
  }

  #chainFor(sort: AdmissionTarget): Chain | null {
    const concerned = this.#plugins.filter((plugin) => plugin.concerns(sort));
    if (concerned.length === 0 || !this.#metrics) return null;
    return {
      admitting: new Step(concerned, 'admit', sort.operation, this.#metrics),
      validating: new Step(concerned, 'validate', sort.operation, this.#metrics),
    };
  }
}

/** Most writes are to the object itself. */
const keyOf = (operation: AdmissionOperation, subresource: string) =>
  subresource === '' ? operation : `${operation} ${subresource}`;

/** The passage of one request through a chain of plugins. */
class ChainRun implements AdmissionRun {
  readonly #chain: Chain;
  readonly #attributes: Attributes;

  constructor(chain: Chain, attributes: Attributes) {
    this.#chain = chain;
    this.#attributes = attributes;
  }

  async mutate(): Promise<ApiObject | undefined> {
    const attributes = this.#attributes;
    await this.#chain.admitting.take(attributes);
    if (attributes.wantsSecondRound) {
      attributes.isSecondRound = true;
      await this.#chain.admitting.take(attributes);
    }
    return attributes.object;
  }

  async validate(object?: ApiObject): Promise<void> {
    if (object) this.#attributes.object = object;
    await this.#chain.validating.take(this.#attributes);
  }

  finish(succeeded: boolean): void | Promise<void> {
    if (!succeeded) return this.#attributes.fail();
    this.#attributes.succeed();
  }
}
