// Resource metrics on the side of the reference, which has no kubelets: a metrics server that reads the annotations of simulated pods.
import type { Undo } from '../../parity/servers.ts';
import { ownAddress } from '../../support/kubelet.ts';
import { startMetricsServer } from '../../support/metrics-server.ts';
import type { AnyObject, Api } from '../kube-controller-manager/api.ts';
import { at } from '../kube-controller-manager/api.ts';
import type { Recorder } from './recorder.ts';

const group = 'metrics.k8s.io';
const version = 'v1beta1';
const namespace = 'kube-system';

/** As the simulation of Orch has it. */
const windowText = '10s';
const defaultUsage = { cpu: '10m', memory: '32Mi' };

export async function servePodMetrics(api: Api, recorder: Recorder, undo: Undo): Promise<void> {
  if (ownAddress === undefined) throw new Error('this machine has no address that an endpoint may have');
  const server = await startMetricsServer(ownAddress, 'metrics.kube-system.svc', (path, query) => {
    const [name] = /(?<=\/namespaces\/)[^/]+(?=\/pods$)/.exec(path) ?? [];
    return name === undefined ? undefined : metricsOf(recorder, name, query.get('labelSelector') ?? '');
  });
  undo.unshift(() => server.stop());
  const name = 'metrics';
  await api.create('api/v1 services', namespace, {
    metadata: { name },
    spec: { ports: [{ port: server.port }] },
  });
  await api.create('apis/discovery.k8s.io/v1 endpointslices', namespace, {
    metadata: { name, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [ownAddress] }],
    ports: [{ name: '', port: server.port }],
  });
  await api.create('api/v1 endpoints', namespace, {
    metadata: { name },
    subsets: [{ addresses: [{ ip: ownAddress }], ports: [{ port: server.port }] }],
  });
  await api.create('apis/apiregistration.k8s.io/v1 apiservices', '', {
    metadata: { name: `${version}.${group}` },
    spec: {
      ...{ group, version, groupPriorityMinimum: 100, versionPriority: 100 },
      service: { namespace, name, port: server.port },
      insecureSkipTLSVerify: true,
    },
  });
}

function metricsOf(recorder: Recorder, namespace: string, selector: string): object[] {
  const labels = selector.split(',').map((requirement) => requirement.split('='));
  return [...recorder.of(namespace).current.values()]
    .filter(({ kind, object }) => kind === 'api/v1 pods' && isMeasured(object))
    .filter(({ object }) => labels.every(([key, value]) => object.metadata.labels?.[key!] === value))
    .map(({ object }) => sampleOf(object));
}

const isMeasured = (pod: AnyObject) =>
  at(pod, 'spec.nodeName') !== undefined && at(pod, 'status.phase') === 'Running';

/** Pods of the scenarios have one container. */
function sampleOf(pod: AnyObject): object {
  const { name, namespace, annotations = {} } = pod.metadata;
  const usage = {
    cpu: annotations['simulation.orch.io/cpu-usage'] ?? defaultUsage.cpu,
    memory: annotations['simulation.orch.io/memory-usage'] ?? defaultUsage.memory,
  };
  return {
    metadata: { name, namespace },
    timestamp: `${new Date().toISOString().slice(0, 19)}Z`,
    window: windowText,
    containers: [{ name: at(pod, 'spec.containers.0.name'), usage }],
  };
}
