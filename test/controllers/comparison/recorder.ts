// Watches the objects of all namespaces on one side: their current state, every change in order, and how long nothing has changed.
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../../parity/client.ts';
import type { Undo } from '../../parity/servers.ts';
import { type AnyObject, at, type Kind } from '../kube-controller-manager/api.ts';

/** The kinds whose objects are compared. */
const comparedKinds: readonly Kind[] = [
  'api/v1 configmaps',
  'api/v1 endpoints',
  'api/v1 events',
  'api/v1 nodes',
  'api/v1 persistentvolumeclaims',
  'api/v1 persistentvolumes',
  'api/v1 pods',
  'api/v1 replicationcontrollers',
  'api/v1 services',
  'apis/apps/v1 controllerrevisions',
  'apis/apps/v1 daemonsets',
  'apis/apps/v1 deployments',
  'apis/apps/v1 replicasets',
  'apis/apps/v1 statefulsets',
  'apis/autoscaling/v2 horizontalpodautoscalers',
  'apis/batch/v1 cronjobs',
  'apis/batch/v1 jobs',
  'apis/discovery.k8s.io/v1 endpointslices',
  'apis/policy/v1 poddisruptionbudgets',
];

/** Compared where they are served. */
const deviceKinds: readonly Kind[] = ['apis/resource.k8s.io/v1beta1 resourceclaims'];

export const isComparedKind = (kind: Kind) => comparedKinds.includes(kind) || deviceKinds.includes(kind);

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly kind: Kind;
  readonly object: AnyObject;
  readonly previous: AnyObject | undefined;
}

/** What happened in one namespace. */
export class NamespaceRecord {
  readonly changes: Change[] = [];
  /** By kind and name. */
  readonly current = new Map<string, { readonly kind: Kind; readonly object: AnyObject }>();
  changedAt = performance.now();

  add(type: Change['type'], kind: Kind, object: AnyObject): void {
    const key = `${kind} ${object.metadata.name}`;
    this.changes.push({ type, kind, object, previous: this.current.get(key)?.object });
    if (type === 'DELETED') this.current.delete(key);
    else this.current.set(key, { kind, object });
    this.changedAt = performance.now();
  }
}

/** On the nodes of a scenario: its namespace, whose record they belong to. */
export const scenarioLabel = 'scenario';

/** The names of objects that every namespace has. */
const ignoredNames = new Set(['kube-root-ca.crt']);

export class Recorder {
  readonly #namespaces = new Map<string, NamespaceRecord>();
  /** By node, the scenario that added it. */
  readonly #scenarioOf = new Map<string, string>();
  #isStopped = false;

  static async start(server: Server, undo: Undo, hasDevices: boolean): Promise<Recorder> {
    const recorder = new Recorder();
    undo.unshift(async () => {
      recorder.#isStopped = true;
    });
    const kinds = hasDevices ? [...comparedKinds, ...deviceKinds] : comparedKinds;
    await Promise.all(kinds.map((kind) => recorder.#watch(server, kind, undo)));
    return recorder;
  }

  of(namespace: string): NamespaceRecord {
    let record = this.#namespaces.get(namespace);
    if (!record) {
      record = new NamespaceRecord();
      this.#namespaces.set(namespace, record);
    }
    return record;
  }

  /** Resolves once nothing in the namespace has changed for a while. */
  async calm(namespace: string, calmMs: number, longestMs: number): Promise<void> {
    const record = this.of(namespace);
    record.changedAt = performance.now();
    const end = performance.now() + longestMs;
    for (;;) {
      const quietMs = performance.now() - record.changedAt;
      if (quietMs >= calmMs || performance.now() > end) return;
      await sleep(Math.min(calmMs - quietMs, 250) + 1);
    }
  }

  /** Resolves once the watch is open. */
  #watch(server: Server, kind: Kind, undo: Undo): Promise<void> {
    const [version, plural] = kind.split(' ');
    return new Promise((resolve, reject) => {
      const watching = request({
        agent: false,
        rejectUnauthorized: false,
        host: server.url.hostname,
        port: server.url.port,
        path: `/${version}/${plural}?watch=true&timeoutSeconds=7200`,
        headers: { authorization: `Bearer ${server.token}` },
      });
      undo.unshift(async () => void watching.destroy());
      watching.on('error', (error) => this.#isStopped || reject(error));
      watching.on('response', (response) => {
        if (response.statusCode !== 200) return reject(new Error(`watch of ${kind}: ${response.statusCode}`));
        let text = '';
        response.setEncoding('utf8');
        response.on('error', () => {});
        response.on('data', (chunk: string) => {
          const lines = (text + chunk).split('\n');
          text = lines.pop()!;
          for (const line of lines) this.#receive(kind, line);
        });
        response.on('close', () => {
          if (!this.#isStopped) console.error(`the watch of ${kind} has ended`);
        });
        resolve();
      });
      watching.end();
    });
  }

  #receive(kind: Kind, line: string): void {
    const { type, object } = JSON.parse(line) as Pick<Change, 'type' | 'object'>;
    const namespace = this.#namespaceOf(kind, object);
    if (namespace !== undefined && !ignoredNames.has(object.metadata.name))
      this.of(namespace).add(type, kind, object);
  }

  /** Nodes and their Events are recorded with the scenario of the node. */
  #namespaceOf(kind: Kind, object: AnyObject): string | undefined {
    const { name, labels = {} } = object.metadata;
    if (kind === 'api/v1 nodes' && labels[scenarioLabel]) this.#scenarioOf.set(name, labels[scenarioLabel]);
    if (kind === 'api/v1 nodes') return this.#scenarioOf.get(name);
    const isOfNode = at(object, 'involvedObject.kind') === 'Node';
    return isOfNode
      ? this.#scenarioOf.get(String(at(object, 'involvedObject.name')))
      : namespaceOf(kind, object);
  }
}

/** The namespace of the scenario. The names of its cluster-scoped objects begin with it; their Events are in `default`. */
function namespaceOf(kind: Kind, object: AnyObject): string {
  const { namespace, name } = object.metadata;
  const involved = object.involvedObject as { namespace?: string; name: string } | undefined;
  if (kind === 'api/v1 events' && involved && !involved.namespace) return involved.name.split('.')[0]!;
  return namespace ?? name.split('.')[0]!;
}
