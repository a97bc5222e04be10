// Job controller: the pods of a Job.
import type { Job } from '../../apis/batch/job.ts';
import type { Container } from '../../apis/core/container.ts';
import type { Manifest } from '../../client/client.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { OwnerReference } from '../../kind/api-object.ts';
import { podFromTemplate } from '../workload/pod-control.ts';
import { isCountedFailure, type JobPod } from './job-pods.ts';

type Names = Pick<Dialect, 'labels' | 'annotations' | 'finalizers'>;

/** A pod of a Job that is not Indexed. */
export function podOfJob({ metadata, spec }: Job, controller: OwnerReference, names: Names): Manifest {
  const pod = podFromTemplate(metadata, controller, spec.template);
  const { finalizers = [] } = pod.metadata;
  const { jobTracking } = names.finalizers;
  const withTracking = finalizers.includes(jobTracking) ? finalizers : [...finalizers, jobTracking];
  return { ...pod, metadata: { ...pod.metadata, finalizers: withTracking } };
}

/** The pod of an index, which may replace a failed one. */
export function podOfIndex(
  job: Job,
  controller: OwnerReference,
  index: number,
  replaced: JobPod | undefined,
  names: Names,
): Manifest {
  const { labels, annotations } = names;
  const { spec } = job.spec.template;
  const { initContainers, containers = [] } = spec;
  const pod = podOfJob(job, controller, names);
  const indexName = { [labels.jobCompletionIndex]: String(index) };
  const env = {
    name: 'JOB_COMPLETION_INDEX',
    valueFrom: { fieldRef: { fieldPath: `metadata.labels['${labels.jobCompletionIndex}']` } },
  };
  const failureCounts =
    job.spec.backoffLimitPerIndex === undefined ? {} : indexFailures(replaced, annotations);
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      generateName: indexNamePrefix(job.metadata.name ?? '', index),
      labels: { ...pod.metadata.labels, ...indexName },
      annotations: { ...pod.metadata.annotations, ...indexName, ...failureCounts },
    },
    spec: {
      ...spec,
      hostname: `${job.metadata.name}-${index}`,
      ...(initContainers && { initContainers: initContainers.map((container) => withEnv(container, env)) }),
      containers: containers.map((container) => withEnv(container, env)),
    },
  } as Manifest;
}

/** A variable that the template sets already is left as it is. */
function withEnv(container: Container, variable: object & { readonly name: string }): object {
  const { env = [] } = container;
  if (env.some(({ name }) => name === variable.name)) return container;
  return { ...container, env: [...env, variable] };
}

/** The characters of a generated name before its random suffix. */
const maxNamePrefix = 58;

/** `name-index-`, with as much of the name as there is room for. */
function indexNamePrefix(jobName: string, index: number): string {
  const suffix = `-${index}-`;
  return jobName.slice(0, maxNamePrefix - suffix.length) + suffix;
}

/** The failures of the index, with that of the replaced pod. */
function indexFailures(
  replaced: JobPod | undefined,
  annotations: Dialect['annotations'],
): Record<string, string> {
  const isCounted = replaced !== undefined && isCountedFailure(replaced);
  const counted = (replaced?.indexFailures ?? 0) + (isCounted ? 1 : 0);
  const ignored = (replaced?.ignoredIndexFailures ?? 0) + (replaced && !isCounted ? 1 : 0);
  return {
    [annotations.jobIndexFailureCount]: String(counted),
    ...(ignored > 0 && { [annotations.jobIndexIgnoredFailureCount]: String(ignored) }),
  };
}
