// Admission: the chain of plugins. A write runs the mutating phase (`admit`) of its plugins, then their validating phase.
// Which plugins handle a request is cached, because almost every write asks.
import type { ApiObject } from '../kind/api-object.ts';
import type { ServedResource } from '../kind/registry.ts';
import type { AdmissionContext } from '../registry/verb-context.ts';
import type {
  AdmissionControl,
  AdmissionObjects,
  AdmissionOperation,
  AdmissionPart,
  AdmissionRequest,
  AdmissionRun,
  AdmissionTarget,
} from '../registry/write/admission-control.ts';
import type { AdmissionDurations, AdmissionMetrics, AdmissionPhase } from './admission-metrics.ts';
import { Attributes } from './attributes.ts';
import type { Plugin, Plugins } from './plugin.ts';

export class AdmissionChain implements AdmissionControl<AdmissionContext> {
  #plugins: Plugins = { anyThread: [], servingThread: [] };
  /** By resource, then by operation and subresource. Null: it is known that no plugin handles the request. */
  #handlingPlugins = new Map<ServedResource, Map<string, HandlingPlugins | null>>();
  #metrics: AdmissionMetrics | undefined;

  use(plugins: Plugins, metrics: AdmissionMetrics): void {
    this.#plugins = plugins;
    this.#metrics = metrics;
    this.invalidateHandlesCache();
  }

  /** Plugins drop their caches after the store was restored to a snapshot. */
  reset(): void {
    for (const plugin of this.#all) plugin.reset?.();
    this.invalidateHandlesCache();
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((plugin) => plugin.close?.()));
  }

  get #all(): readonly Plugin[] {
    return [...this.#plugins.anyThread, ...this.#plugins.servingThread];
  }

  /** Drops the cached answers of `Plugin.handles`. */
  invalidateHandlesCache(): void {
    this.#handlingPlugins = new Map();
  }

  handles(target: AdmissionTarget, part: AdmissionPart = 'all'): boolean {
    return !!this.#pluginsFor(target)?.[part];
  }

  mayMutate(target: AdmissionTarget, part: AdmissionPart = 'all'): boolean {
    const steps = this.#pluginsFor(target)?.[part];
    return !!steps && !steps.mutating.isEmpty;
  }

  begin(
    api: AdmissionContext,
    request: AdmissionRequest,
    objects: AdmissionObjects,
    part: AdmissionPart = 'all',
  ): AdmissionRun | undefined {
    const { resource, subresource } = request.target;
    const steps = this.#pluginsFor({ resource, subresource, operation: request.operation })?.[part];
    return steps ? new ChainRun(steps, new Attributes(api, request, objects)) : undefined;
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
    const plugins = this.#all.filter((plugin) => plugin.handles(target));
    if (plugins.length === 0 || !metrics) return null;
    const stepsOf = (part: readonly Plugin[]): AdmissionSteps => ({
      mutating: new AdmissionStep(part, 'admit', target.operation, metrics),
      validating: new AdmissionStep(part, 'validate', target.operation, metrics),
    });
    const afterWorker = plugins.filter((plugin) => this.#plugins.servingThread.includes(plugin));
    return { all: stepsOf(plugins), afterWorker: afterWorker.length === 0 ? null : stepsOf(afterWorker) };
  }
}

/** Most writes have no subresource: their key needs no concatenation. */
const operationKey = (operation: AdmissionOperation, subresource: string) =>
  subresource === '' ? operation : `${operation} ${subresource}`;

/** The admission of one request. */
class ChainRun implements AdmissionRun {
  readonly #steps: AdmissionSteps;
  readonly #attributes: Attributes;

  constructor(steps: AdmissionSteps, attributes: Attributes) {
    this.#steps = steps;
    this.#attributes = attributes;
  }

  async mutate(): Promise<ApiObject | undefined> {
    const attributes = this.#attributes;
    await this.#steps.mutating.run(attributes);
    // One reinvocation at most: changes of the second round do not cause a third.
    if (attributes.needsReinvocation) {
      attributes.isReinvocation = true;
      await this.#steps.mutating.run(attributes);
    }
    return attributes.object;
  }

  async validate(object?: ApiObject): Promise<void> {
    if (object) this.#attributes.object = object;
    await this.#steps.validating.run(this.#attributes);
  }

  finish(succeeded: boolean): void | Promise<void> {
    if (!succeeded) return this.#attributes.fail();
    this.#attributes.succeed();
  }
}

/** The plugins that handle an operation on a resource or subresource. */
interface HandlingPlugins {
  readonly all: AdmissionSteps;
  /** The plugins that only the serving thread can run, after a worker thread has run the others; null if there are none. */
  readonly afterWorker: AdmissionSteps | null;
}

interface AdmissionSteps {
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
