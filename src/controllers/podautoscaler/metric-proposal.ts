// The number of replicas that one metric of an autoscaler proposes, with the status of that metric.
import type { MetricSpec, MetricTarget } from '../../apis/autoscaling/metric-source.ts';
import type { MetricStatus } from '../../apis/autoscaling/metric-status.ts';
import { isReady } from '../../apis/core/pod-conditions.ts';
import { goLabelSelectorString } from '../../kind/meta/go-struct.ts';
import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import { quantityOf } from '../../schema/quantity.ts';
import type { MetricsClient, SelectedPods } from './metrics-client.ts';
import { groupPods, MetricError, milliValueOf, type PodSamples, requestsOf } from './pod-samples.ts';
import {
  replicasForAverageValue,
  replicasForUtilization,
  replicasForValue,
  replicasForValuePerReplica,
  type Tolerances,
} from './replica-calculator.ts';

export interface Proposal {
  readonly replicas: number;
  /** The metric in conditions and Events. */
  readonly name: string;
  readonly status: MetricStatus;
}

export interface ProposalInput {
  readonly metrics: MetricsClient;
  readonly selected: SelectedPods;
  /** spec.replicas and status.replicas of the scale. */
  readonly specReplicas: number;
  readonly statusReplicas: number;
  readonly tolerances: Tolerances;
  readonly now: number;
}

/** A metric proposes nothing. */
export class ProposalFailure extends Error {
  /** Of the condition ScalingActive and of the Event. */
  readonly reason: string;
  /** The text of the condition and of the Event; `message` is that of the Event about all metrics. */
  readonly detail: string;

  constructor(reason: string, detail: string, message: string) {
    super(message);
    this.reason = reason;
    this.detail = detail;
  }
}

/** Throws ProposalFailure. */
export function proposeReplicas(spec: MetricSpec, input: ProposalInput): Promise<Proposal> {
  switch (spec.type) {
    case 'Resource':
      return proposeByResource(spec.resource!, input);
    case 'ContainerResource':
      return proposeByContainerResource(spec.containerResource!, input);
    case 'Pods':
      return proposeByPods(spec.pods!, input);
    case 'Object':
      return proposeByObject(spec.object!, input);
    case 'External':
      return proposeByExternal(spec.external!, input);
    default: {
      const message = `unknown metric source type ${JSON.stringify(spec.type)}`;
      throw new ProposalFailure('InvalidMetricSourceType', message, message);
    }
  }
}

async function proposeByResource(
  { name, target }: NonNullable<MetricSpec['resource']>,
  input: ProposalInput,
): Promise<Proposal> {
  const failure = (detail: string) =>
    new ProposalFailure(
      'FailedGetResourceMetric',
      detail,
      `failed to get ${name} resource metric value: ${detail}`,
    );
  const usage = await translated(failure, () => resourceUsage(name, undefined, target, input));
  return {
    replicas: usage.replicas,
    name: usage.name,
    status: { type: 'Resource', resource: { name, current: usage.current } },
  };
}

async function proposeByContainerResource(
  { name, container, target }: NonNullable<MetricSpec['containerResource']>,
  input: ProposalInput,
): Promise<Proposal> {
  const failure = (detail: string) =>
    new ProposalFailure(
      'FailedGetContainerResourceMetric',
      detail,
      `failed to get ${container} container metric value: ${detail}`,
    );
  const usage = await translated(failure, () => resourceUsage(name, container, target, input));
  return {
    replicas: usage.replicas,
    name: usage.name,
    status: { type: 'ContainerResource', containerResource: { name, container, current: usage.current } },
  };
}

/** Throws MetricError. */
async function resourceUsage(
  resource: string,
  container: string | undefined,
  { averageValue, averageUtilization }: MetricTarget,
  input: ProposalInput,
) {
  if (averageValue === undefined && averageUtilization === undefined)
    throw new MetricError(
      'invalid resource metric source: neither an average utilization target nor an average value (usage) target was set',
    );
  const measured = averageValue === undefined ? 'utilization' : 'usage';
  return prefixed(`failed to get ${resource} ${measured}`, async () => {
    const samples = await prefixed(`unable to get metrics for resource ${resource}`, () =>
      input.metrics.resource(input.selected, resource, container),
    );
    const metricInput = podMetricInput(input, samples, resource);
    if (averageValue !== undefined) {
      const { replicas, averageMilliValue } = replicasForAverageValue(
        metricInput,
        milliValueOf(averageValue),
      );
      const name = `${resource} resource`;
      return { replicas, name, current: { averageValue: quantityOfMilli(averageMilliValue) } };
    }
    const requests = requestsOf(input.selected.pods, resource, container);
    const result = replicasForUtilization(metricInput, requests, averageUtilization!);
    const subject = container === undefined ? 'resource' : 'container resource';
    return {
      replicas: result.replicas,
      name: `${resource} ${subject} utilization (percentage of request)`,
      current: {
        averageValue: quantityOfMilli(result.averageMilliValue),
        averageUtilization: result.utilization,
      },
    };
  });
}

async function proposeByPods(
  { metric, target }: NonNullable<MetricSpec['pods']>,
  input: ProposalInput,
): Promise<Proposal> {
  const failure = (detail: string) =>
    new ProposalFailure('FailedGetPodsMetric', detail, `failed to get pods metric value: ${detail}`);
  return translated(failure, async () => {
    const samples = await prefixed(`unable to get metric ${metric.name}`, () =>
      input.metrics.pods(input.selected, metric),
    );
    const metricInput = podMetricInput(input, samples, undefined);
    const { replicas, averageMilliValue } = replicasForAverageValue(
      metricInput,
      milliValueOf(target.averageValue ?? '0'),
    );
    const current = { averageValue: quantityOfMilli(averageMilliValue) };
    return {
      replicas,
      name: `pods metric ${metric.name}`,
      status: { type: 'Pods', pods: { metric, current } },
    };
  });
}

async function proposeByObject(
  { metric, target, describedObject }: NonNullable<MetricSpec['object']>,
  input: ProposalInput,
): Promise<Proposal> {
  const { specReplicas, statusReplicas, tolerances, selected } = input;
  const isAverage = target.type === 'AverageValue' && target.averageValue !== undefined;
  const failure = (detail: string) => {
    const cause = isAverage ? `failed to get ${metric.name} object metric: ${detail}` : detail;
    return new ProposalFailure(
      'FailedGetObjectMetric',
      detail,
      `failed to get object metric value: ${cause}`,
    );
  };
  return translated(failure, async () => {
    if (!isAverage && (target.type !== 'Value' || target.value === undefined))
      throw new MetricError(
        'invalid object metric source: neither a value target nor an average value target was set',
      );
    const { kind, name } = describedObject;
    // The order of the words is that of upstream's release.
    const explain = (message: string) =>
      new MetricError(
        `unable to get metric ${metric.name}: ${kind} on ${selected.namespace} ${name}/${message}`,
      );
    const milliValue = await translated(explain, () =>
      input.metrics.object(selected.namespace, describedObject, metric),
    );
    const statusOf = (current: { value?: string; averageValue?: string }): MetricStatus => ({
      type: 'Object',
      object: { metric, describedObject, current },
    });
    if (isAverage) {
      const targetMilliValue = milliValueOf(target.averageValue!);
      const result = replicasForValuePerReplica(statusReplicas, tolerances, milliValue, targetMilliValue);
      return {
        replicas: result.replicas,
        // Upstream calls it an external metric.
        name: externalMetricName(metric.name, metric.selector),
        status: statusOf({ averageValue: quantityOfMilli(result.averageMilliValue) }),
      };
    }
    const targetMilliValue = milliValueOf(target.value!);
    const readyPods = () => countReadyPods(selected);
    return {
      replicas: replicasForValue(specReplicas, tolerances, milliValue, targetMilliValue, readyPods),
      name: `${kind} metric ${metric.name}`,
      status: statusOf({ value: quantityOfMilli(milliValue) }),
    };
  });
}

async function proposeByExternal(
  { metric, target }: NonNullable<MetricSpec['external']>,
  input: ProposalInput,
): Promise<Proposal> {
  const { specReplicas, statusReplicas, tolerances, selected } = input;
  const { value, averageValue } = target;
  const failure = (detail: string) => {
    const cause =
      averageValue === undefined
        ? `failed to get external metric ${metric.name}: ${detail}`
        : `failed to get ${metric.name} external metric: ${detail}`;
    return new ProposalFailure(
      'FailedGetExternalMetric',
      detail,
      `failed to get ${metric.name} external metric value: ${cause}`,
    );
  };
  return translated(failure, async () => {
    if (value === undefined && averageValue === undefined)
      throw new MetricError(
        'invalid external metric source: neither a value target nor an average value target was set',
      );
    const selectorText = selectorString(metric.selector);
    const values = await prefixed(
      `unable to get external metric ${selected.namespace}/${metric.name}/${selectorText}`,
      () => input.metrics.external(selected.namespace, metric),
    );
    const milliValue = values.reduce((sum, each) => sum + each, 0);
    const name = externalMetricName(metric.name, metric.selector);
    const statusOf = (current: { value?: string; averageValue?: string }): MetricStatus => ({
      type: 'External',
      external: { metric, current },
    });
    if (averageValue !== undefined) {
      const targetMilliValue = milliValueOf(averageValue);
      const result = replicasForValuePerReplica(statusReplicas, tolerances, milliValue, targetMilliValue);
      const status = statusOf({ averageValue: quantityOfMilli(result.averageMilliValue) });
      return { replicas: result.replicas, name, status };
    }
    const readyPods = () => countReadyPods(selected);
    return {
      replicas: replicasForValue(specReplicas, tolerances, milliValue, milliValueOf(value!), readyPods),
      name,
      status: statusOf({ value: quantityOfMilli(milliValue) }),
    };
  });
}

/** Throws MetricError if there are no pods. */
function podMetricInput(
  { selected, specReplicas, tolerances, now }: ProposalInput,
  samples: PodSamples,
  resource: string | undefined,
) {
  if (selected.pods.length === 0) throw noPods();
  const groups = groupPods(selected.pods, samples, resource, now);
  return { currentReplicas: specReplicas, tolerances, samples, groups };
}

function countReadyPods({ pods }: SelectedPods): number {
  if (pods.length === 0) throw new MetricError(`unable to calculate ready pods: ${noPods().message}`);
  return pods.filter(({ status }) => status.phase === 'Running' && isReady(status)).length;
}

const noPods = () => new MetricError('no pods returned by selector while calculating replica count');

/** The metric of an object or from outside of the cluster, with its selector as Go prints it. */
const externalMetricName = (name: string, selector: LabelSelector | undefined) =>
  `external metric ${name}(${selectorString(selector)})`;

const selectorString = (selector: LabelSelector | undefined) =>
  selector ? goLabelSelectorString(selector) : 'nil';

const quantityOfMilli = (milliValue: number) => quantityOf(BigInt(milliValue), -3).text;

/** Puts a text before the message of a MetricError. */
function prefixed<T>(prefix: string, compute: () => Promise<T>): Promise<T> {
  return translated((message) => new MetricError(`${prefix}: ${message}`), compute);
}

async function translated<T>(translate: (message: string) => Error, compute: () => Promise<T>): Promise<T> {
  try {
    return await compute();
  } catch (error) {
    throw error instanceof MetricError ? translate(error.message) : error;
  }
}
