// The requests of the HTTP/2 load generator: each slot (a stream of a connection) sends the requests of one task in turn.
import { configMap, nameOf, tickOf } from '../../objects.ts';
import type { Http2Request } from './connection.ts';

export type Workload =
  /** Creates ConfigMaps with unique names. */
  | { readonly kind: 'create'; readonly path: string; readonly prefix: string }
  /** Updates ConfigMaps in order, without a resourceVersion. */
  | { readonly kind: 'update'; readonly path: string; readonly count: number }
  /** Renews Leases as kubelets do, each from its last response. */
  | { readonly kind: 'renew'; readonly path: string; readonly count: number }
  /** Creates a pod, binds it, reports it as running and deletes it. */
  | { readonly kind: 'pods'; readonly path: string; readonly prefix: string }
  /** Lists a collection in pages, again and again. */
  | { readonly kind: 'pages'; readonly path: string; readonly limit: number };

export interface Task {
  next(): Http2Request;
  /** Takes the beginning of the body of a successful response. Returns the number of units that are complete with it. */
  complete(body: string): number;
  /** False: the next request prepares the load, and is not part of the measurement. */
  isReady?(): boolean;
}

/** `slot` of `slots`: the tasks of one workload share its objects. */
export function createTask(workload: Workload, slot: number, slots: number): Task {
  switch (workload.kind) {
    case 'create':
      return createConfigMaps(workload.path, `${workload.prefix}-${slot}`);
    case 'update':
      return updateConfigMaps(workload.path, workload.count, slot, slots);
    case 'renew':
      return renewLeases(workload.path, workload.count, slot, slots);
    case 'pods':
      return churnPods(workload.path, `${workload.prefix}-${slot}`);
    case 'pages':
      return listPages(workload.path, workload.limit);
  }
}

const one = () => 1;

function createConfigMaps(path: string, prefix: string): Task {
  let index = 0;
  return {
    next: () => ({
      method: 'POST',
      path,
      body: configMap(index, tickOf(0, index), nameOf(index++, prefix)),
    }),
    complete: one,
  };
}

function updateConfigMaps(path: string, count: number, slot: number, slots: number): Task {
  let writes = 0;
  return {
    next() {
      const index = (slot + slots * writes) % count;
      const body = configMap(index, tickOf(slot, ++writes));
      return { method: 'PUT', path: `${path}/${nameOf(index)}`, body };
    },
    complete: one,
  };
}

const leaseName = (index: number): string => nameOf(index, 'node');

export function lease(index: number, renewals: number, resourceVersion?: string): string {
  const name = leaseName(index);
  const renewTime = new Date(Date.UTC(2026, 0, 1) + renewals * 10_000).toISOString().replace('Z', '000Z');
  return JSON.stringify({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, ...(resourceVersion !== undefined && { resourceVersion }) },
    spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime },
  });
}

/** A Lease cannot be updated without its resourceVersion, so a slot has Leases of its own. Reads each of them first. */
function renewLeases(path: string, count: number, slot: number, slots: number): Task {
  const own = Array.from({ length: Math.ceil((count - slot) / slots) }, (_, i) => slot + i * slots);
  const versions = new Map<number, string>();
  let turn = -1;
  let renewals = 0;
  const current = () => own[turn % own.length]!;
  return {
    next() {
      turn++;
      const index = current();
      const resourceVersion = versions.get(index);
      const target = `${path}/${leaseName(index)}`;
      if (resourceVersion === undefined) return { method: 'GET', path: target };
      return { method: 'PUT', path: target, body: lease(index, ++renewals, resourceVersion) };
    },
    complete(body) {
      const version = /"resourceVersion":"(\d+)"/.exec(body)?.[1];
      if (version === undefined) throw new Error(`a Lease has no resourceVersion: ${body}`);
      versions.set(current(), version);
      return 1;
    },
    isReady: () => versions.size === own.length,
  };
}

const pod = (name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'bench', tier: 'load' } },
    spec: {
      automountServiceAccountToken: false,
      containers: [
        {
          name: 'main',
          image: 'registry.example/bench:1',
          resources: { requests: { cpu: '100m', memory: '64Mi' } },
          env: [{ name: 'MODE', value: 'load' }],
          ports: [{ containerPort: 8080 }],
        },
      ],
    },
  });

const binding = (name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name },
    target: { apiVersion: 'v1', kind: 'Node', name: 'bench-node' },
  });

const runningStatus = JSON.stringify({
  status: {
    phase: 'Running',
    podIP: '10.0.0.1',
    podIPs: [{ ip: '10.0.0.1' }],
    startTime: '2026-01-01T00:00:00Z',
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
      type,
      status: 'True',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    })),
  },
});

const deleteNow = JSON.stringify({ apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 });

function churnPods(path: string, prefix: string): Task {
  let step = -1;
  const steps: readonly ((name: string) => Http2Request)[] = [
    (name) => ({ method: 'POST', path, body: pod(name) }),
    (name) => ({ method: 'POST', path: `${path}/${name}/binding`, body: binding(name) }),
    (name) => ({
      method: 'PATCH',
      path: `${path}/${name}/status`,
      body: runningStatus,
      contentType: 'application/strategic-merge-patch+json',
    }),
    (name) => ({ method: 'DELETE', path: `${path}/${name}`, body: deleteNow }),
  ];
  return {
    next() {
      step++;
      return steps[step % steps.length]!(nameOf(Math.floor(step / steps.length), prefix));
    },
    // A part of a pod counts too: a short load may end within the first pods.
    complete: () => 1 / steps.length,
  };
}

function listPages(path: string, limit: number): Task {
  let token = '';
  return {
    next() {
      const query = token === '' ? '' : `&continue=${encodeURIComponent(token)}`;
      return { method: 'GET', path: `${path}?limit=${limit}${query}` };
    },
    complete(body) {
      // The metadata of a list is before its items.
      token = /^[^[]*?"continue":"([^"]*)"/.exec(body)?.[1] ?? '';
      return 1;
    },
  };
}
