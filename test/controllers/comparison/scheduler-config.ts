// The configuration of the scheduler on the clusters with devices: a file that both kube-scheduler and Orch read.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const only = (name: string) => ({ disabled: [{ name: '*' }], enabled: [{ name }] });
const withArgs = (name: string, args: object) => ({ pluginConfig: [{ name, args }] });
const zone = 'topology.kubernetes.io/zone';

/** Scenarios use them by name. */
const profiles = [
  { schedulerName: 'default-scheduler' },
  {
    schedulerName: 'most-allocated',
    plugins: { score: only('NodeResourcesFit') },
    ...withArgs('NodeResourcesFit', {
      scoringStrategy: { type: 'MostAllocated', resources: [{ name: 'cpu', weight: 1 }] },
    }),
  },
  { schedulerName: 'no-preemption', plugins: { postFilter: { disabled: [{ name: 'DefaultPreemption' }] } } },
  { schedulerName: 'no-taints', plugins: { multiPoint: { disabled: [{ name: 'TaintToleration' }] } } },
  { schedulerName: 'no-devices', plugins: { multiPoint: { disabled: [{ name: 'DynamicResources' }] } } },
  {
    schedulerName: 'no-resources',
    plugins: { filter: { disabled: [{ name: 'NodeResourcesFit' }] } },
  },
  {
    schedulerName: 'enforced-zone',
    ...withArgs('NodeAffinity', {
      addedAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: zone, operator: 'In', values: ['zone-b'] }] }],
        },
      },
    }),
  },
  {
    schedulerName: 'ignores-gpus',
    ...withArgs('NodeResourcesFit', { ignoredResourceGroups: ['example.com'] }),
  },
  {
    schedulerName: 'one-per-zone',
    ...withArgs('PodTopologySpread', {
      defaultingType: 'List',
      defaultConstraints: [{ maxSkew: 1, topologyKey: zone, whenUnsatisfiable: 'DoNotSchedule' }],
    }),
  },
];

/** Returns the path of the file. `kubeconfig` is that of kube-scheduler. */
export async function writeSchedulerConfig(folder: string, kubeconfig?: string): Promise<string> {
  const file = join(folder, 'scheduler.json');
  const config = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    leaderElection: { leaderElect: false },
    ...(kubeconfig !== undefined && { clientConnection: { kubeconfig, qps: 1000, burst: 2000 } }),
    profiles,
  };
  await writeFile(file, JSON.stringify(config));
  return file;
}
