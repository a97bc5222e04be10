// daemonset-controller: the tolerations that daemon pods have (upstream: AddOrUpdateDaemonPodTolerations).
import type { PodTemplateSpec } from '../../apis/core/pod-template-spec.ts';
import type { Toleration } from '../../apis/core/toleration.ts';
import type { Dialect } from '../../dialect/dialect.ts';

/** Those of the template, and those of taints by node conditions: daemon pods run on nodes with problems too. */
export function daemonTolerations(spec: PodTemplateSpec['spec'], { taints }: Dialect): Toleration[] {
  const exists = (key: string, effect: 'NoSchedule' | 'NoExecute') =>
    ({ key, operator: 'Exists', effect }) satisfies Toleration;
  const added: Toleration[] = [
    exists(taints.notReady, 'NoExecute'),
    exists(taints.unreachable, 'NoExecute'),
    exists(taints.diskPressure, 'NoSchedule'),
    exists(taints.memoryPressure, 'NoSchedule'),
    exists(taints.pidPressure, 'NoSchedule'),
    exists(taints.unschedulable, 'NoSchedule'),
    ...(spec.hostNetwork ? [exists(taints.networkUnavailable, 'NoSchedule')] : []),
  ];
  const tolerations = [...(spec.tolerations ?? [])];
  for (const toleration of added) {
    const index = tolerations.findIndex((existing) => isSame(existing, toleration));
    // One with tolerationSeconds becomes unlimited.
    if (index >= 0) tolerations[index] = toleration;
    else tolerations.push(toleration);
  }
  return tolerations;
}

const isSame = (a: Toleration, b: Toleration) =>
  a.key === b.key &&
  a.operator === b.operator &&
  a.effect === b.effect &&
  (a.value ?? '') === (b.value ?? '');
