// The built-in stages of pods on simulated nodes: pods run at once, pods of Jobs complete, deleted pods end.
import type { Pod } from '../../apis/core/pod.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { derivedConditions } from './derived-conditions.ts';
import type { Stage, StageDelay } from './stage.ts';

const atOnce: StageDelay = { durationMs: 0, jitterMs: 0 };
/** The run time of the pods of a Job without an annotation. */
const jobDurationMs = 1_000;
/** The back-off of restarts, as a kubelet has it. */
const restartBackOff: StageDelay = { durationMs: 10_000, jitterMs: 0, growth: 2, maxMs: 300_000 };
/** Of a process that SIGTERM ends. */
const terminatedExitCode = 143;

export function builtinStages({ simulation }: Dialect): Stage[] {
  const { completeAfter, exitCode, useGracePeriod } = simulation;
  const endOfGracePeriod: StageDelay = { ...atOnce, from: ['metadata', 'deletionTimestamp'] };
  const end = { containers: { state: 'terminated', exitCode: terminatedExitCode }, delete: true } as const;
  const completion: StageDelay = {
    durationMs: jobDurationMs,
    jitterMs: 0,
    annotation: completeAfter,
    from: ['status', 'startTime'],
  };
  const complete = { containers: { state: 'terminated', exitCodeAnnotation: exitCode } } as const;
  const restart = { containers: { state: 'running', restart: true, exitCodeAnnotation: exitCode } } as const;
  const failsAndRestarts = { phase: ['Running'], restartPolicy: ['OnFailure'] };
  return [
    // Nothing of the pod has run.
    {
      name: 'delete-pending',
      match: { deleting: true, phase: ['Pending'] },
      delay: atOnce,
      next: { delete: true },
    },
    {
      name: 'delete-finished',
      match: { deleting: true, phase: ['Succeeded', 'Failed'] },
      delay: atOnce,
      next: { delete: true },
    },
    {
      name: 'delete-after-pre-stop',
      match: { deleting: true, preStop: true },
      delay: endOfGracePeriod,
      next: end,
    },
    {
      name: 'delete-after-grace-period',
      match: { deleting: true, annotations: { [useGracePeriod]: 'true' } },
      delay: endOfGracePeriod,
      next: end,
    },
    { name: 'delete', match: { deleting: true }, delay: atOnce, next: end },
    {
      name: 'start',
      match: { phase: ['Pending'] },
      delay: atOnce,
      next: { phase: 'Running', containers: { state: 'running' } },
    },
    {
      name: 'update',
      match: { phase: ['Running'], condition: isOutdated },
      delay: atOnce,
      next: { conditions: [] },
    },
    {
      name: 'restart-job',
      match: { ...failsAndRestarts, owner: ['Job'], annotations: { [exitCode]: '!0' } },
      delay: restartBackOff,
      next: restart,
    },
    {
      name: 'restart',
      match: { ...failsAndRestarts, annotations: { [completeAfter]: '*', [exitCode]: '!0' } },
      delay: restartBackOff,
      next: restart,
    },
    {
      name: 'complete-job',
      match: { phase: ['Running'], restartPolicy: ['Never', 'OnFailure'], owner: ['Job'] },
      delay: completion,
      next: complete,
    },
    {
      name: 'complete',
      match: {
        phase: ['Running'],
        restartPolicy: ['Never', 'OnFailure'],
        annotations: { [completeAfter]: '*' },
      },
      delay: completion,
      next: complete,
    },
  ];
}

/** Whether an ephemeral container was added, or a readiness gate has changed. */
function isOutdated(pod: Pod): boolean {
  const { spec, status } = pod;
  const started = new Set((status.ephemeralContainerStatuses ?? []).map(({ name }) => name));
  if ((spec.ephemeralContainers ?? []).some(({ name }) => !started.has(name))) return true;
  if ((spec.readinessGates ?? []).length === 0) return false;
  const stored = (status.conditions ?? []).find(({ type }) => type === 'Ready');
  const derived = derivedConditions(pod, status).find(({ type }) => type === 'Ready');
  return stored?.status !== derived?.status;
}
