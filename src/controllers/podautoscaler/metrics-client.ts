// Metrics client: reads resource, custom and external metrics through their APIs, which aggregated API servers serve. Resource metrics
// of simulated nodes come from this server itself.
import type { CrossVersionObjectReference, MetricIdentifier } from '../../apis/autoscaling/metric-source.ts';
import type { Pod } from '../../apis/core/pod.ts';
import { InvalidDuration, parseDuration } from '../../base/duration.ts';
import type { GroupId } from '../../dialect/groups.ts';
import { serverResponseError } from '../../errors/server-response.ts';
import { ApiError } from '../../errors/status.ts';
import { formatLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { parseQuantity, valueAtScale } from '../../schema/quantity.ts';
import type { AggregatedTarget } from '../runtime/aggregated-apis.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import { MetricError, type PodSample, type PodSamples } from './pod-samples.ts';
import { findKind, groupOf } from './scale-target.ts';

/** The pods of an autoscaler. */
export interface SelectedPods {
  readonly namespace: string;
  /** The text of the label selector. */
  readonly selector: string;
  readonly pods: readonly Pod[];
}

const resourceMetrics = { group: 'metrics', version: 'v1beta1' } as const;
const externalMetrics = { group: 'external.metrics', version: 'v1beta1' } as const;
/** The preferred version first. */
const customMetricsVersions = ['v1beta2', 'v1beta1'];

/** The window of a custom metric that has none. */
const defaultWindowMs = 60_000;

/** Objects of metrics servers are untrusted input: all fields may be missing or malformed. */
interface PodMetrics {
  readonly metadata?: { readonly name?: unknown };
  readonly timestamp?: unknown;
  readonly window?: unknown;
  readonly containers?: unknown;
}

interface ContainerMetrics {
  readonly name?: unknown;
  readonly usage?: Readonly<Record<string, unknown>>;
}

interface MetricValue {
  readonly describedObject?: { readonly name?: unknown };
  readonly timestamp?: unknown;
  readonly windowSeconds?: unknown;
  readonly window?: unknown;
  readonly value?: unknown;
}

export class MetricsClient {
  readonly #context: ControllerContext;
  readonly #signal: AbortSignal;

  constructor(context: ControllerContext, signal: AbortSignal) {
    this.#context = context;
    this.#signal = signal;
  }

  /** The usage of a resource by one container of each pod, or (with undefined) by all of them. Throws MetricError. */
  async resource(
    selected: SelectedPods,
    resource: string,
    container: string | undefined,
  ): Promise<PodSamples> {
    const items = await explained('resource', () => this.#podMetrics(selected));
    const samples = new Map<string, PodSample>();
    for (const item of items) {
      const milliValue = usageOf(item, resource, container);
      const name = item.metadata?.name;
      if (milliValue === undefined || typeof name !== 'string') continue;
      samples.set(name, {
        milliValue,
        timestampMs: timeOf(item.timestamp),
        windowMs: durationOf(item.window),
      });
    }
    return samples;
  }

  /** A custom metric of each pod. Throws MetricError. */
  async pods(selected: SelectedPods, { name: metric, selector }: MetricIdentifier): Promise<PodSamples> {
    const { namespace, selector: labelSelector } = selected;
    const metricLabelSelector = formatLabelSelector(selector ?? {});
    const items = await explained('custom', () =>
      this.#custom({
        namespace,
        resource: 'pods',
        name: '*',
        subresource: metric,
        query: { labelSelector, metricLabelSelector },
      }),
    );
    const samples = new Map<string, PodSample>();
    for (const { describedObject, timestamp, windowSeconds, window, value } of items) {
      const milliValue = milliValueIn(value);
      const name = describedObject?.name;
      if (milliValue === undefined || typeof name !== 'string') continue;
      const seconds = windowSeconds ?? window;
      const windowMs = typeof seconds === 'number' ? seconds * 1000 : defaultWindowMs;
      samples.set(name, { milliValue, timestampMs: timeOf(timestamp), windowMs });
    }
    return samples;
  }

  /** A custom metric of an object, in thousandths. Throws MetricError. */
  async object(
    namespace: string,
    described: CrossVersionObjectReference,
    { name: metric, selector }: MetricIdentifier,
  ): Promise<number> {
    const query = { metricLabelSelector: formatLabelSelector(selector ?? {}) };
    const [item, ...others] = await explained('custom', () => {
      const isNamespace = described.kind === 'Namespace' && groupOf(described.apiVersion ?? '') === '';
      if (isNamespace) return this.#custom({ namespace, resource: 'metrics', name: metric, query });
      const resource = this.#qualifiedResource(described);
      return this.#custom({ namespace, resource, name: described.name, subresource: metric, query });
    });
    if (!item || others.length > 0) {
      const count = item ? others.length + 1 : 0;
      throw fetchError(
        'custom',
        `the custom metrics API server returned ${count} results when we asked for exactly one`,
      );
    }
    return milliValueIn(item.value) ?? 0;
  }

  /** The values of an external metric, in thousandths. Throws MetricError. */
  async external(namespace: string, { name: metric, selector }: MetricIdentifier): Promise<number[]> {
    const query = { labelSelector: formatLabelSelector(selector ?? {}) };
    const items = await explained('external', async () => {
      const { group, version } = externalMetrics;
      const target = { group: this.#group(group), version, namespace, resource: metric, query };
      return itemsIn<MetricValue>(await this.#get(target));
    });
    return items.flatMap(({ value }) => milliValueIn(value) ?? []);
  }

  async #podMetrics({ namespace, selector, pods }: SelectedPods): Promise<PodMetrics[]> {
    const { aggregatedApis, metricsSource, kinds } = this.#context;
    const group = this.#group(resourceMetrics.group);
    const { version } = resourceMetrics;
    const target = { group, version, namespace, resource: 'pods' };
    if (aggregatedApis.serves(`${group}/${version}`))
      return itemsIn<PodMetrics>(await this.#get({ ...target, query: { labelSelector: selector } }));
    if (!metricsSource || !kinds.find(group, version, 'pods')) throw serverResponseError(404, 'get', target);
    return metricsSource.podMetrics({ namespace, names: pods.map(({ metadata }) => metadata.name!) });
  }

  async #custom(target: Omit<AggregatedTarget, 'group' | 'version'>): Promise<MetricValue[]> {
    const group = this.#group('custom.metrics');
    const version = customMetricsVersions.find((each) =>
      this.#context.aggregatedApis.serves(`${group}/${each}`),
    );
    if (version === undefined) throw new MetricError(`no custom metrics API (${group}) registered`);
    return itemsIn<MetricValue>(await this.#get({ ...target, group, version }));
  }

  #get(target: AggregatedTarget): Promise<unknown> {
    const { aggregatedApis, identity } = this.#context;
    return aggregatedApis.get(target, { user: identity.user, signal: this.#signal });
  }

  #group(id: GroupId): string {
    return this.#context.dialect.groupName(id);
  }

  /** The resource of an object as paths of the custom metrics API name it: `ingresses.networking…`. */
  #qualifiedResource({ apiVersion = '', kind }: CrossVersionObjectReference): string {
    const found = findKind(this.#context.kinds, apiVersion, kind);
    const group = groupOf(apiVersion);
    if (!found) {
      const groupKind = group === '' ? kind : `${kind}.${group}`;
      throw new MetricError(
        `unable to map kind ${groupKind} to resource: no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`,
      );
    }
    return group === '' ? found.definition.plural : `${found.definition.plural}.${group}`;
  }
}

const fetchError = (api: string, message: string) =>
  new MetricError(`unable to fetch metrics from ${api} metrics API: ${message}`);

/** The items of a response. Failures get upstream's messages. */
async function explained<T>(api: 'resource' | 'custom' | 'external', read: () => Promise<T[]>): Promise<T[]> {
  let items: T[];
  try {
    items = await read();
  } catch (error) {
    if (error instanceof ApiError || error instanceof MetricError) throw fetchError(api, error.message);
    throw error;
  }
  if (items.length === 0) throw new MetricError(`no metrics returned from ${api} metrics API`);
  return items;
}

function itemsIn<T>(body: unknown): T[] {
  const { items } = (body ?? {}) as { readonly items?: unknown };
  return Array.isArray(items) ? items.filter((item) => typeof item === 'object' && item !== null) : [];
}

/** Undefined if a container that counts has no value. */
function usageOf(
  { containers }: PodMetrics,
  resource: string,
  container: string | undefined,
): number | undefined {
  const all = itemsIn<ContainerMetrics>({ items: containers });
  const counted = all.filter(({ name }) => container === undefined || name === container);
  const values = counted.map(({ usage }) => milliValueIn(usage?.[resource]));
  if (values.length === 0 || values.includes(undefined)) return undefined;
  return (values as number[]).reduce((sum, value) => sum + value, 0);
}

/** Undefined if the value is no quantity. */
function milliValueIn(value: unknown): number | undefined {
  const quantity = parseQuantity(
    typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '',
  );
  return 'problem' in quantity ? undefined : Number(valueAtScale(quantity, -3));
}

function timeOf(text: unknown): number {
  const ms = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? 0 : ms;
}

function durationOf(text: unknown): number {
  try {
    return typeof text === 'string' ? parseDuration(text) : 0;
  } catch (error) {
    if (error instanceof InvalidDuration) return 0;
    throw error;
  }
}
