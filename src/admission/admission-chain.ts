// Admission: the chain of plugins. It runs the mutating and then the validating plugins of a request, in order.
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
import type { AdmissionDurations, AdmissionMetrics, AdmissionPhase } from './admission-metrics.ts';
import { Attributes } from './attributes.ts';
import type { Plugin } from './plugin.ts';

/** The plugins that handle one operation on one resource or subresource. */
interface HandlingPlugins {
  readonly mutating: Step;
  readonly validating: Step;
}

/** Runs plugins one after the other and measures their duration. */
class Step {
  readonly #plugins: readonly {
    readonly plugin: Plugin;
    readonly durations: AdmissionDurations;
  }[];
  readonly #durations: AdmissionDurations;
  readonly #phase: AdmissionPhase;

  constructor(
    plugins: readonly Plugin[],
    phase: AdmissionPhase,
    operation: AdmissionOperation,
    metrics: AdmissionMetrics,
  ) {
    const takesPart = (plugin: Plugin) => (phase === 'admit' ? plugin.admit : plugin.validate) !== undefined;
    this.#plugins = plugins
      .filter(takesPart)
      .map((plugin) => ({ plugin, durations: metrics.pluginDurations(plugin.name, operation, phase) }));
    this.#durations = metrics.stepDurations(operation, phase);
    this.#phase = phase;
  }

  get isEmpty(): boolean {
    return this.#plugins.length === 0;
  }

  async run(attributes: Attributes): Promise<void> {
    if (this.isEmpty) return;
    const start = performance.now();
    let pluginStart = start;
    for (const { plugin, durations } of this.#plugins) {
      try {
        const running = this.#phase === 'admit' ? plugin.admit!(attributes) : plugin.validate!(attributes);
        if (running) await running;
      } catch (error) {
        durations.rejected(pluginStart);
        this.#durations.rejected(start);
        throw error;
      }
      durations.passed(pluginStart);
      pluginStart = performance.now();
    }
    this.#durations.passed(start);
  }
}

export class AdmissionChain implements AdmissionControl<Api> {
  #plugins: readonly Plugin[] = [];
  /** By resource, then by operation and subresource; null where no plugin handles the request. */
  #handling = new Map<ServedResource, Map<string, HandlingPlugins | null>>();
  #metrics: AdmissionMetrics | undefined;

  /** Sets the plugins, in the order in which they run. */
  use(plugins: readonly Plugin[], metrics: AdmissionMetrics): void {
    this.#plugins = plugins;
    this.#metrics = metrics;
    this.reconsider();
  }

  /** The store was replaced by another state: plugins drop their caches. */
  reset(): void {
    for (const plugin of this.#plugins) plugin.reset?.();
    this.reconsider();
  }

  async close(): Promise<void> {
    await Promise.all(this.#plugins.map((plugin) => plugin.close?.()));
  }

  /** Drops the cached answers of `Plugin.handles`. */
  reconsider(): void {
    this.#handling = new Map();
  }

  handles(target: AdmissionTarget): boolean {
    return this.#pluginsFor(target) !== null;
  }

  mayMutate(target: AdmissionTarget): boolean {
    const plugins = this.#pluginsFor(target);
    return plugins !== null && !plugins.mutating.isEmpty;
  }

  begin(api: Api, request: AdmissionRequest, objects: AdmissionObjects): AdmissionRun | undefined {
    const { resource, subresource } = request.target;
    const plugins = this.#pluginsFor({ resource, subresource, operation: request.operation });
    return plugins ? new ChainRun(plugins, new Attributes(api, request, objects)) : undefined;
  }

  #pluginsFor(target: AdmissionTarget): HandlingPlugins | null {
    let byOperation = this.#handling.get(target.resource);
    if (!byOperation) {
      byOperation = new Map();
      this.#handling.set(target.resource, byOperation);
    }
    const key = keyOf(target.operation, target.subresource);
    let plugins = byOperation.get(key);
    if (plugins === undefined) {
      plugins = this.#findPlugins(target);
      byOperation.set(key, plugins);
    }
    return plugins;
  }

  #findPlugins(target: AdmissionTarget): HandlingPlugins | null {
    const plugins = this.#plugins.filter((plugin) => plugin.handles(target));
    if (plugins.length === 0 || !this.#metrics) return null;
    return {
      mutating: new Step(plugins, 'admit', target.operation, this.#metrics),
      validating: new Step(plugins, 'validate', target.operation, this.#metrics),
    };
  }
}

/** Most writes have no subresource: their key needs no concatenation. */
const keyOf = (operation: AdmissionOperation, subresource: string) =>
  subresource === '' ? operation : `${operation} ${subresource}`;

/** The passage of one request through the chain. */
class ChainRun implements AdmissionRun {
  readonly #plugins: HandlingPlugins;
  readonly #attributes: Attributes;

  constructor(plugins: HandlingPlugins, attributes: Attributes) {
    this.#plugins = plugins;
    this.#attributes = attributes;
  }

  async mutate(): Promise<ApiObject | undefined> {
    const attributes = this.#attributes;
    await this.#plugins.mutating.run(attributes);
    if (attributes.needsReinvocation) {
      attributes.isReinvocation = true;
      await this.#plugins.mutating.run(attributes);
    }
    return attributes.object;
  }

  async validate(object?: ApiObject): Promise<void> {
    if (object) this.#attributes.object = object;
    await this.#plugins.validating.run(this.#attributes);
  }

  finish(succeeded: boolean): void | Promise<void> {
    if (!succeeded) return this.#attributes.fail();
    this.#attributes.succeed();
  }
}
