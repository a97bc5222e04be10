// The random workloads of the properties, and what their controllers must never do.
import { Random } from './random.ts';
import type { PodState } from './world.ts';

/** What a run knows about its workload when a pod changes. */
interface Situation {
  readonly pods: readonly PodState[];
  /** The sizes (replicas, parallelism) since the controllers were idle, the current one included. */
  readonly sizes: readonly number[];
}

export interface Workload {
  readonly apiVersion: string;
  readonly kind: string;
  /** The field with the number of pods; undefined if nodes determine it. */
  readonly sizeField: 'replicas' | 'parallelism' | undefined;
  readonly size: number;
  readonly spec: object;
  readonly mayUpdate: boolean;
  /** What is wrong after a pod was created; undefined if nothing is. */
  checkCreated(created: PodState, situation: Situation): string | undefined;
  /** The same for a pod that the controller has deleted. `situation` is that after the deletion. */
  checkDeleted(deleted: PodState, situation: Situation): string | undefined;
}

export const appLabel = { app: 'a' };
export const template = (image: string, restartPolicy?: string) => ({
  metadata: { labels: appLabel },
  spec: { containers: [{ name: 'c', image }], ...(restartPolicy && { restartPolicy }) },
});

export const isActive = ({ isTerminating, phase }: PodState) =>
  !isTerminating && phase !== 'Succeeded' && phase !== 'Failed';
const isAvailable = (pod: PodState) => isActive(pod) && pod.isReady;
const common = { selector: { matchLabels: appLabel }, template: template('i') };

function atMost(limit: number, { pods }: Situation): string | undefined {
  const active = pods.filter(isActive).length;
  return active > limit ? `${active} active pods, at most ${limit}` : undefined;
}

function replicaSet(random: Random): Workload {
  const size = random.below(6);
  return {
    ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet', sizeField: 'replicas', size, mayUpdate: false },
    spec: { ...common, replicas: size },
    checkCreated: (_, situation) => atMost(Math.max(...situation.sizes), situation),
    checkDeleted(_, { pods, sizes }) {
      const active = pods.filter(isActive).length;
      return active < Math.min(...sizes) ? `${active} active pods left of ${Math.min(...sizes)}` : undefined;
    },
  };
}

function deployment(random: Random): Workload {
  const size = random.between(1, 6);
  const maxSurge = random.below(3);
  const maxUnavailable = maxSurge === 0 ? random.between(1, 2) : random.below(3);
  const isRecreate = random.below(4) === 0;
  const strategy = isRecreate
    ? { type: 'Recreate' }
    : { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } };
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', sizeField: 'replicas', size, mayUpdate: true },
    spec: { ...common, replicas: size, strategy },
    checkCreated(created, situation) {
      const active = situation.pods.filter(isActive);
      if (isRecreate && active.some(({ image }) => image !== created.image))
        return 'pods of two templates are active';
      return atMost(Math.max(...situation.sizes) + (isRecreate ? 0 : maxSurge), situation);
    },
    checkDeleted(deleted, { pods, sizes }) {
      // Proportional scaling does not look at availability.
      if (isRecreate || sizes.length > 1 || !deleted.isReady) return undefined;
      const available = pods.filter(isAvailable).length;
      const least = sizes[0]! - maxUnavailable;
      return available < least ? `${available} available pods, at least ${least}` : undefined;
    },
  };
}

const ordinalOf = ({ name }: PodState) => Number(name.slice(name.lastIndexOf('-') + 1));

function statefulSet(random: Random): Workload {
  const size = random.between(1, 5);
  const isOrdered = random.below(3) > 0;
  const partition = random.below(size + 1);
  return {
    ...{ apiVersion: 'apps/v1', kind: 'StatefulSet', sizeField: 'replicas', size, mayUpdate: true },
    spec: {
      ...common,
      ...{ serviceName: 's', replicas: size, podManagementPolicy: isOrdered ? 'OrderedReady' : 'Parallel' },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } },
    },
    checkCreated(created, situation) {
      const ordinal = ordinalOf(created);
      if (ordinal >= Math.max(...situation.sizes)) return `ordinal ${ordinal} of ${situation.sizes}`;
      const ready = situation.pods.filter((pod) => isAvailable(pod) && ordinalOf(pod) < ordinal);
      return isOrdered && ready.length < ordinal
        ? `${ready.length} of ${ordinal} lower pods are ready`
        : undefined;
    },
    checkDeleted(deleted, { pods, sizes }) {
      const ordinal = ordinalOf(deleted);
      if (!isActive({ ...deleted, isTerminating: false }) || ordinal >= Math.min(...sizes)) return undefined;
      if (ordinal < partition) return `pod ${ordinal} is below the partition ${partition}`;
      const higher = pods.filter((pod) => ordinalOf(pod) > ordinal && ordinalOf(pod) < Math.min(...sizes));
      return higher.every(isAvailable) ? undefined : 'a higher pod is not ready yet';
    },
  };
}

function daemonSet(random: Random): Workload {
  const nodes = 3;
  const maxSurge = random.below(2);
  const maxUnavailable = maxSurge === 0 ? random.between(1, 2) : 0;
  return {
    ...{ apiVersion: 'apps/v1', kind: 'DaemonSet', sizeField: undefined, size: nodes, mayUpdate: true },
    spec: {
      ...common,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
    },
    checkCreated({ nodeName }, { pods }) {
      const here = pods.filter((pod) => isActive(pod) && pod.nodeName === nodeName).length;
      return here > 1 + maxSurge ? `${here} pods on ${nodeName}` : undefined;
    },
    checkDeleted(deleted, { pods }) {
      const isStillCovered = pods.some((pod) => isAvailable(pod) && pod.nodeName === deleted.nodeName);
      if (!deleted.isReady || isStillCovered) return undefined;
      const covered = new Set(pods.filter(isAvailable).map(({ nodeName }) => nodeName)).size;
      const least = nodes - maxUnavailable;
      return covered < least ? `${covered} nodes have an available pod, at least ${least}` : undefined;
    },
  };
}

function job(random: Random): Workload {
  const size = random.between(1, 4);
  const completions = random.between(1, 6);
  const isIndexed = random.below(2) === 0;
  return {
    ...{ apiVersion: 'batch/v1', kind: 'Job', sizeField: 'parallelism', size, mayUpdate: false },
    spec: {
      ...{ parallelism: size, completions, backoffLimit: 1_000, template: template('i', 'Never') },
      ...(isIndexed && { completionMode: 'Indexed' }),
    },
    checkCreated(_, situation) {
      const succeeded = situation.pods.filter(({ phase }) => phase === 'Succeeded').length;
      const left = isIndexed ? completions : completions - succeeded;
      return atMost(Math.min(Math.max(...situation.sizes), left), situation);
    },
    checkDeleted: () => undefined,
  };
}

const makers = [replicaSet, deployment, deployment, statefulSet, statefulSet, daemonSet, job, job];

export const randomWorkload = (seed: number): Workload => {
  const random = new Random(seed);
  return random.of(makers)!(random);
};
