import { ask, get, type Json, type JsonObject, put, subject } from '../case.ts';
import { apply, intent, patchBy } from './applies.ts';
import { paths } from './objects.ts';

const deployments = paths('/apis/apps/v1/namespaces/{ns}/deployments');
const services = paths('/api/v1/namespaces/{ns}/services');
const a = deployments('a');

const deployment = (pod: JsonObject, spec: JsonObject = {}) =>
  intent('apps/v1', 'Deployment', 'a', {
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: pod },
      ...spec,
    },
  });
const only = (pod: JsonObject) => intent('apps/v1', 'Deployment', 'a', { spec: { template: { spec: pod } } });
const containers = (...items: Json[]) => deployment({ containers: items });
const service = (spec: JsonObject, metadata: JsonObject = {}) =>
  intent('v1', 'Service', 'a', { spec }, metadata);
const env = (...names: string[]) => names.map((name) => ({ name, value: name }));

/** Lists and maps, element by element or as one. */
export const applyLists = subject('apply-lists', [
  ask(
    'elements by their name: added, changed and taken away',
    apply(a, containers({ name: 'c', image: 'i' }, { name: 'd', image: 'j' }), { by: 'one' }),
    apply(a, only({ containers: [{ name: 'e', image: 'k' }] }), { by: 'two' }),
    apply(a, only({ containers: [{ name: 'd', imagePullPolicy: 'Never' }] }), { by: 'three', force: true }),
    apply(a, containers({ name: 'c', image: 'i' }), { by: 'one' }),
    apply(a, only({ containers: [] }), { by: 'three' }),
    apply(a, only({}), { by: 'two' }),
    get(a),
  ),
  ask(
    'the order of elements after a merge',
    apply(a, containers({ name: 'c', image: 'i', env: env('A', 'B', 'C') }), { by: 'one' }),
    apply(a, only({ containers: [{ name: 'c', env: env('X', 'B', 'Y') }] }), { by: 'two' }),
    apply(a, only({ containers: [{ name: 'c', env: env('Y', 'B', 'X') }] }), { by: 'two' }),
    apply(a, only({ containers: [{ name: 'c', env: env('Y', 'N', 'X') }] }), { by: 'two' }),
    apply(a, containers({ name: 'c', image: 'i', env: env('C', 'B', 'A') }), { by: 'one' }),
    apply(a, containers({ name: 'c', image: 'i', env: env('C', 'Z', 'A') }), { by: 'one' }),
    apply(
      a,
      containers(
        { name: 'b', image: 'i' },
        { name: 'c', image: 'i', env: env('C') },
        { name: 'a', image: 'i' },
      ),
      {
        by: 'one',
      },
    ),
    apply(a, only({ containers: [{ name: 'a' }, { name: 'q', image: 'i' }, { name: 'b' }] }), { by: 'two' }),
  ),
  ask(
    'ports, whose protocol is a key that has a default',
    apply(a, containers({ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }), { by: 'one' }),
    apply(
      a,
      only({ containers: [{ name: 'c', ports: [{ containerPort: 80, protocol: 'TCP', name: 'web' }] }] }),
      {
        by: 'two',
      },
    ),
    apply(a, only({ containers: [{ name: 'c', ports: [{ containerPort: 80, protocol: 'UDP' }] }] }), {
      by: 'three',
    }),
    apply(a, containers({ name: 'c', image: 'i', ports: [{ containerPort: 80, protocol: 'TCP' }] }), {
      by: 'one',
    }),
    apply(a, containers({ name: 'c', image: 'i' }), { by: 'one' }),
    apply(a, only({}), { by: 'two' }),
    apply(a, only({}), { by: 'three' }),
  ),
  ask(
    'ports of a service',
    apply(services('a'), service({ ports: [{ port: 80, name: 'a' }] }), { by: 'one' }),
    apply(services('a'), service({ ports: [{ port: 80, protocol: 'UDP', name: 'b' }] }), { by: 'two' }),
    apply(services('a'), service({ ports: [{ port: 80, protocol: 'TCP', name: 'c' }] }), { by: 'two' }),
    apply(services('a'), service({ ports: [{ port: 80, name: 'c' }] }), { by: 'two', force: true }),
    apply(services('a'), service({ ports: [{ port: 81, name: 'd' }] }), { by: 'one' }),
    apply(services('a'), service({ selector: { a: 'b' } }), { by: 'one' }),
    apply(services('a'), service({ selector: { c: 'd' } }), { by: 'two' }),
    apply(services('a'), service({ type: 'ExternalName', externalName: 'example.com' }), { by: 'three' }),
  ),
  ask(
    'the type of a service given up, and what came with it',
    apply(
      services('a'),
      service({
        type: 'NodePort',
        ports: [
          { port: 80, name: 'a' },
          { port: 81, name: 'b' },
        ],
      }),
      { by: 'one' },
    ),
    apply(services('a'), service({ ports: [{ port: 80, name: 'a' }] }), { by: 'one' }),
    apply(services('a'), service({ type: 'LoadBalancer', ports: [{ port: 80, name: 'a' }] }), { by: 'one' }),
    apply(services('a'), service({ ports: [{ port: 82, name: 'c' }] }), { by: 'one' }),
    apply(services('a'), service({ type: 'ExternalName', externalName: 'example.com' }), { by: 'one' }),
  ),
  ask(
    'finalizers are a set, ownerReferences a map',
    apply(
      services('a'),
      service({ ports: [{ port: 1 }] }, { finalizers: ['example.com/a', 'example.com/b'] }),
      {
        by: 'one',
      },
    ),
    apply(
      services('a'),
      service({ ports: [{ port: 1 }] }, { finalizers: ['example.com/c', 'example.com/a'] }),
      {
        by: 'two',
      },
    ),
    apply(services('a'), service({ ports: [{ port: 1 }] }, { finalizers: ['example.com/b'] }), { by: 'one' }),
    apply(services('a'), service({}, { finalizers: ['example.com/c'] }), { by: 'two' }),
    apply(
      services('a'),
      service(
        { ports: [{ port: 1 }] },
        { ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u' }] },
      ),
      { by: 'one' },
    ),
    apply(
      services('a'),
      service({}, { ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'other', uid: 'u' }] }),
      { by: 'two' },
    ),
    apply(
      services('a'),
      service(
        {},
        { ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'o', uid: 'v', controller: true }] },
      ),
      { by: 'two' },
    ),
    apply(services('a'), service({ ports: [{ port: 1 }] }), { by: 'one' }),
  ),
  ask(
    'atomic lists and maps have one owner',
    apply(
      a,
      deployment({
        containers: [{ name: 'c', image: 'i', command: ['x', 'y'] }],
        tolerations: [{ key: 'a', operator: 'Exists' }],
        nodeSelector: { a: 'b' },
      }),
      { by: 'one' },
    ),
    apply(a, only({ containers: [{ name: 'c', command: ['x', 'y'] }], nodeSelector: { a: 'b' } }), {
      by: 'two',
    }),
    apply(a, only({ nodeSelector: { c: 'd' } }), { by: 'two' }),
    apply(a, only({ containers: [{ name: 'c', command: ['x'] }] }), { by: 'three' }),
    apply(a, only({ tolerations: [] }), { by: 'three' }),
    apply(a, only({ tolerations: [{ key: 'b', operator: 'Exists' }] }), { by: 'three', force: true }),
    apply(a, deployment({ containers: [{ name: 'c', image: 'i' }], tolerations: [] }), { by: 'one' }),
    apply(a, deployment({ containers: [{ name: 'c', image: 'i' }] }), { by: 'one' }),
    apply(a, intent('apps/v1', 'Deployment', 'a', { spec: { selector: { matchLabels: { c: 'd' } } } }), {
      by: 'four',
      force: true,
    }),
  ),
  ask(
    'defaults come back where a field is given up',
    apply(
      a,
      deployment(
        {
          containers: [{ name: 'c', image: 'i', imagePullPolicy: 'Never' }],
          restartPolicy: 'Always',
          dnsPolicy: 'Default',
        },
        { replicas: 5, strategy: { type: 'Recreate' }, revisionHistoryLimit: 3 },
      ),
      { by: 'one' },
    ),
    apply(a, deployment({ containers: [{ name: 'c', image: 'i' }] }, { replicas: 5 }), { by: 'one' }),
    apply(a, deployment({ containers: [{ name: 'c', image: 'i' }] }), { by: 'one' }),
    apply(services('a'), service({ ports: [{ port: 1 }], type: 'NodePort', sessionAffinity: 'ClientIP' }), {
      by: 'one',
    }),
    apply(services('a'), service({ ports: [{ port: 1 }], sessionAffinity: 'ClientIP' }), { by: 'one' }),
    apply(services('a'), service({ ports: [{ port: 1 }] }), { by: 'one' }),
  ),
  ask(
    'a default that somebody wants becomes theirs',
    apply(a, containers({ name: 'c', image: 'i' }), { by: 'one' }),
    apply(a, intent('apps/v1', 'Deployment', 'a', { spec: { replicas: 1 } }), { by: 'two' }),
    apply(a, intent('apps/v1', 'Deployment', 'a', { spec: { replicas: 2 } }), { by: 'three' }),
    apply(a, intent('apps/v1', 'Deployment', 'a', { spec: { replicas: 2 } }), { by: 'two' }),
    apply(a, intent('apps/v1', 'Deployment', 'a', { spec: {} }), { by: 'two' }),
    get(a),
  ),
  ask(
    'a required field that is given up is missing',
    apply(a, containers({ name: 'c', image: 'i' }), { by: 'one' }),
    apply(a, containers({ name: 'c' }), { by: 'one' }),
    apply(a, deployment({}), { by: 'one' }),
    apply(a, intent('apps/v1', 'Deployment', 'a'), { by: 'one' }),
    apply(a, intent('apps/v1', 'Deployment', 'a', { spec: null }), { by: 'one' }),
    apply(a, intent('apps/v1', 'Deployment', 'a', { spec: { template: {} } }), { by: 'one' }),
  ),
  ask(
    'an update that moves elements owns what it changes',
    apply(a, containers({ name: 'c', image: 'i', env: env('A', 'B') }, { name: 'd', image: 'j' }), {
      by: 'one',
      as: 'a',
    }),
    put(`${a}?fieldManager=mover`, (kept) => {
      const moved = structuredClone(kept.a) as { spec: { template: { spec: { containers: JsonObject[] } } } };
      moved.spec.template.spec.containers.reverse();
      return moved as unknown as JsonObject;
    }),
    patchBy(
      'editor',
      a,
      { spec: { template: { spec: { containers: [{ name: 'c', image: 'new' }] } } } },
      'strategic-merge-patch+json',
    ),
    patchBy('setter', a, { spec: { template: { spec: { containers: [{ name: 'z', image: 'all' }] } } } }),
    apply(a, containers({ name: 'c', image: 'i' }), { by: 'one' }),
    apply(a, containers({ name: 'c', image: 'i' }), { by: 'one', force: true }),
  ),
  ask(
    'volumes are taken as they are',
    apply(
      a,
      deployment({ containers: [{ name: 'c', image: 'i' }], volumes: [{ name: 'v', emptyDir: {} }] }),
      {
        by: 'one',
      },
    ),
    apply(a, only({ volumes: [{ name: 'v', configMap: { name: 'x' } }] }), { by: 'two' }),
    apply(
      a,
      deployment({
        containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
        volumes: [{ name: 'v', configMap: { name: 'x', items: [{ key: 'k', path: 'p' }] } }],
      }),
      { by: 'one' },
    ),
    apply(
      a,
      deployment({
        containers: [
          {
            name: 'c',
            image: 'i',
            volumeMounts: [
              { name: 'v', mountPath: '/w' },
              { name: 'v', mountPath: '/v', readOnly: true },
            ],
          },
        ],
        volumes: [{ name: 'v', configMap: { name: 'x', items: [{ key: 'l', path: 'p' }] } }],
      }),
      { by: 'one' },
    ),
    apply(a, only({ volumes: [{ name: 'v', emptyDir: {} }] }), { by: 'two', force: true }),
    apply(
      a,
      only({
        containers: [{ name: 'c', env: [{ name: 'E', valueFrom: { fieldRef: { fieldPath: 'x' } } }] }],
      }),
      {
        by: 'three',
      },
    ),
    apply(
      a,
      only({
        containers: [
          { name: 'c', env: [{ name: 'E', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] },
        ],
      }),
      { by: 'three' },
    ),
    apply(a, only({ containers: [{ name: 'c', env: [{ name: 'E', value: 'x' }] }] }), { by: 'three' }),
  ),
]);
