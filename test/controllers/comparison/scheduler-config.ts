// The configuration of the scheduler on the clusters with devices: a file that both kube-scheduler and Orch read.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const profiles = [{ schedulerName: 'default-scheduler' }];

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
