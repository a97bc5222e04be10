// Admission: the chain of plugins. A write runs `admit` of every plugin that handles it, then `validate` of each.
// Which plugins handle a request is cached, because almost every write asks.
import type { ApiObject } from '../kind/api-object.ts';
import type { ServedResource } from '../kind/registry.ts';
import type { AdmissionContext } from '../registry/verb-context.ts';
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

export class AdmissionChain implements AdmissionControl<AdmissionContext> {
  #plugins: readonly Plugin[] = [];
  /** By resource, then by operation and subresource. Null: it is known that no plugin handles the request. */
  #handlingPlugins = new Map<ServedResource, Map<string, HandlingPlugins | null>>();
  #metrics: AdmissionMetrics | undefined;

  /** Sets the plugins, in the order in which they run. */
  use(plugins: readonly Plugin[], metrics: AdmissionMetrics): void {
    this.#plugins = plugins;
    this.#metrics = metrics;
    this.invalidateHandlesCache();
  }

  /** Plugins drop their caches after the store was restored to a snapshot. */
  reset(): void {
    for (const plugin of this.#plugins) plugin.reset?.();
    this.invalidateHandlesCache();
  }

  async close(): Promise<void> {
    await Promise.all(this.#plugins.map((plugin) => plugin.close?.()));
  }

  /** Drops the cached answers of `Plugin.handles`. */
  invalidateHandlesCache(): void {
    this.#handlingPlugins = new Map();
  }

  handles(target: AdmissionTarget): boolean {
    return this.#pluginsFor(target) !== null;
  }

  mayMutate(target: AdmissionTarget): boolean {
    const plugins = this.#pluginsFor(target);
    return plugins !== null && !plugins.mutating.isEmpty;
  }

  begin(
    api: AdmissionContext,
    request: AdmissionRequest,
    objects: AdmissionObjects,
  ): AdmissionRun | undefined {
    const { resource, subresource } = request.target;
    const plugins = this.#pluginsFor({ resource, subresource, operation: request.operation });
    return plugins ? new ChainRun(plugins, new Attributes(api, request, objects)) : undefined;
  }

  #pluginsFor(target: AdmissionTarget): HandlingPlugins | null {
    let byOperation = this.#handlingPlugins.get(target.resource);
    if (!byOperation) {
      byOperation = new Map();
      this.#handlingPlugins.set(target.resource, byOperation);
    }
    const key = operationKey(target.operation, target.subresource);
    let plugins = byOperation.get(key);
    if (plugins === undefined) {
      plugins = this.#findPlugins(target);
      byOperation.set(key, plugins);
    }
    return plugins;
  }

  #findPlugins(target: AdmissionTarget): HandlingPlugins | null {
    const metrics = this.#metrics;
    const plugins = this.#plugins.filter((plugin) => plugin.handles(target));
    if (plugins.length === 0 || !metrics) return null;
    return {
      mutating: new AdmissionStep(plugins, 'admit', target.operation, metrics),
      validating: new AdmissionStep(plugins, 'validate', target.operation, metrics),
    };
  }
}

/** Most writes have no subresource: their key needs no concatenation. */
const operationKey = (operation: AdmissionOperation, subresource: string) =>
  subresource === '' ? operation : `${operation} ${subresource}`;

/** The admission of one request. */
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
    // One reinvocation at most: changes of the second round do not cause a third.
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

/** The plugins that handle one operation on one resource or subresource. */
interface HandlingPlugins {
  readonly mutating: AdmissionStep;
  readonly validating: AdmissionStep;
}

/** One phase of the chain: runs the plugins that implement it, one after the other, and measures their durations. */
class AdmissionStep {
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
    this.#plugins = plugins
      .filter((plugin) => plugin[phase] !== undefined)
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
        const running = plugin[this.#phase]!(attributes);
        // Most plugins are synchronous: they do not cost a turn of the microtask queue.
        if (running) await running;
      } catch (error) {
        durations.observeRejected(pluginStart);
        this.#durations.observeRejected(start);
        throw error;
      }
      durations.observePassed(pluginStart);
      pluginStart = performance.now();
    }
    this.#durations.observePassed(start);
  }
}
