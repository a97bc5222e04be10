// HorizontalPodAutoscaler: printer columns (upstream: printers/internalversion), shared by v1 and v2.

import { age, none, unset } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { HorizontalPodAutoscaler } from './horizontalpodautoscaler.ts';
import type { MetricSpec } from './metric-source.ts';
import type { MetricStatus } from './metric-status.ts';

export const horizontalPodAutoscalerTable: TableLayout<HorizontalPodAutoscaler> = {
  columns: [
    nameColumn,
    column('Reference', 'The object that is scaled.'),
    column('Targets', 'The current and target values of the metrics.'),
    column('MinPods', 'The minimum number of pods.'),
    column('MaxPods', 'The maximum number of pods.'),
    column('Replicas', 'The current number of pods.'),
    ageColumn,
  ],
  cells(autoscaler, ages) {
    const { spec, status, metadata } = autoscaler;
    const { kind, name } = spec.scaleTargetRef;
    return [
      metadata.name ?? '',
      `${kind}/${name}`,
      formatTargets(spec.metrics ?? [], status.currentMetrics ?? []),
      spec.minReplicas === undefined ? unset : String(spec.minReplicas),
      spec.maxReplicas,
      status.currentReplicas ?? 0,
      age(autoscaler, ages),
    ];
  },
};

/** Further metrics are only counted. */
const maxShownMetrics = 2;

function formatTargets(specs: readonly MetricSpec[], statuses: readonly MetricStatus[]): string {
  if (specs.length === 0) return none;
  const texts = specs.map((spec, i) => formatTarget(spec, statuses[i]));
  const joined = texts.slice(0, maxShownMetrics).join(', ');
  return texts.length > maxShownMetrics ? `${joined} + ${texts.length - maxShownMetrics} more...` : joined;
}

interface MetricValues {
  averageValue?: string;
  value?: string;
  averageUtilization?: number;
}

function formatTarget(spec: MetricSpec, status: MetricStatus | undefined): string {
  switch (spec.type) {
    case 'External':
      return formatValueOrAverage(spec.external?.target, status?.external?.current);
    case 'Pods':
      return `${status?.pods?.current.averageValue ?? '<unknown>'}/${spec.pods?.target.averageValue ?? ''}`;
    case 'Object':
      return formatValueOrAverage(spec.object?.target, status?.object?.current);
    case 'Resource':
      return formatResourceTarget(spec.resource, status?.resource);
    case 'ContainerResource':
      return formatResourceTarget(spec.containerResource, status?.containerResource);
    default:
      return '<unknown type>';
  }
}

/** `current/target`, of the average per pod if the target is an average. */
function formatValueOrAverage(target: MetricValues = {}, current: MetricValues = {}): string {
  return target.averageValue !== undefined
    ? `${current.averageValue ?? '<unknown>'}/${target.averageValue} (avg)`
    : `${current.value ?? '<unknown>'}/${target.value ?? ''}`;
}

function formatResourceTarget(
  spec: { name: string; target: MetricValues } | undefined,
  status: { current: MetricValues } | undefined,
): string {
  const { name = '', target = {} } = spec ?? {};
  const current = status?.current ?? {};
  if (target.averageValue !== undefined) {
    return `${name}: ${current.averageValue ?? '<unknown>'}/${target.averageValue}`;
  }
  const percent = (value: number | undefined, otherwise: string) =>
    value === undefined ? otherwise : `${value}%`;
  return `${name}: ${percent(current.averageUtilization, '<unknown>')}/${percent(target.averageUtilization, '<auto>')}`;
}
