import { ask, type Json, type JsonObject, subject } from '../case.ts';
import { apply, intent } from './applies.ts';
import { paths } from './objects.ts';

const dry = { by: 'one', query: 'dryRun=All' };
const deployments = paths('/apis/apps/v1/namespaces/{ns}/deployments');
const services = paths('/api/v1/namespaces/{ns}/services');

const deployment = (pod: JsonObject, spec: JsonObject = {}) =>
  apply(
    deployments('a'),
    intent('apps/v1', 'Deployment', 'a', {
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: {
          metadata: { labels: { a: 'b' } },
          spec: { containers: [{ name: 'c', image: 'i' }], ...pod },
        },
        ...spec,
      },
    }),
    dry,
  );
const containers = (...items: Json[]) => deployment({ containers: items });
const service = (spec: Json, metadata: JsonObject = {}) =>
  apply(services('a'), intent('v1', 'Service', 'a', { spec }, metadata), dry);
const ports = (...items: Json[]) => service({ ports: items });

/** Intents that do not fit the kind's types. */
export const applyTypes = subject('apply-types', [
  ask(
    'scalars where other scalars belong',
    service({ ports: [{ port: 'x' }] }),
    service({ ports: [{ port: true }] }),
    service({ ports: [{ port: {} }] }),
    service({ ports: [{ port: [] }] }),
    service({ ports: [{ port: 1, name: 1 }] }),
    service({ ports: [{ port: 1, name: {} }] }),
    service({ type: 1, ports: [{ port: 1 }] }),
    service({ type: false, ports: [{ port: 1 }] }),
    service({ publishNotReadyAddresses: 'yes', ports: [{ port: 1 }] }),
    service({ publishNotReadyAddresses: 1, ports: [{ port: 1 }] }),
    service({ sessionAffinityConfig: { clientIP: { timeoutSeconds: 1.5 } }, ports: [{ port: 1 }] }),
    service({ sessionAffinityConfig: { clientIP: 'x' }, ports: [{ port: 1 }] }),
    service({ selector: { a: 1 }, ports: [{ port: 1 }] }),
    service({ selector: { a: null }, ports: [{ port: 1 }] }),
    service({ selector: { a: ['x'] }, ports: [{ port: 1 }] }),
    deployment({}, { replicas: 'x' }),
    deployment({}, { replicas: 1.5 }),
    deployment({}, { replicas: 99999999999 }),
    deployment({}, { replicas: null }),
    deployment({}, { paused: 'x' }),
    deployment({ terminationGracePeriodSeconds: '5' }),
  ),
  ask(
    'structures where others belong',
    service('x'),
    service([]),
    service(7),
    service(null),
    service({ ports: {} }),
    service({ ports: 'x' }),
    service({ ports: null }),
    service({ ports: [] }),
    service({ ports: ['x'] }),
    service({ ports: [null] }),
    service({ ports: [[]] }),
    service({ selector: [] }),
    service({ selector: 'x' }),
    service({ ipFamilies: 'IPv4', ports: [{ port: 1 }] }),
    service({ ipFamilies: { a: 'b' }, ports: [{ port: 1 }] }),
    service({ externalIPs: [1], ports: [{ port: 1 }] }),
    service({ ports: [{ port: 1 }] }, { labels: 'x' }),
    service({ ports: [{ port: 1 }] }, { labels: [] }),
    service({ ports: [{ port: 1 }] }, { labels: { a: 1 } }),
    service({ ports: [{ port: 1 }] }, { finalizers: 'x' }),
    service({ ports: [{ port: 1 }] }, { finalizers: [1] }),
    service({ ports: [{ port: 1 }] }, { finalizers: [null] }),
    service({ ports: [{ port: 1 }] }, { finalizers: [{}] }),
    service({ ports: [{ port: 1 }] }, { ownerReferences: [{}] }),
    service({ ports: [{ port: 1 }] }, { ownerReferences: [{ uid: 1 }] }),
    service({ ports: [{ port: 1 }] }, { creationTimestamp: 5 }),
    apply(services('a'), { apiVersion: 'v1', kind: 'Service', metadata: 'x' }, dry),
    apply(services('a'), { apiVersion: 'v1', kind: 'Service', metadata: [] }, dry),
    apply(services('a'), { apiVersion: 'v1', kind: 'Service', metadata: null }, dry),
    apply(services('a'), { apiVersion: 1, kind: 'Service', metadata: { name: 'a' } }, dry),
    apply(services('a'), { apiVersion: 'v1', kind: 1, metadata: { name: 'a' } }, dry),
    apply(services('a'), { apiVersion: 'v1', kind: 'Service', metadata: { name: 1 } }, dry),
  ),
  ask(
    'elements without the keys that tell them apart',
    containers({ image: 'i' }),
    containers({}),
    containers({ name: null, image: 'i' }),
    containers({ name: '', image: 'i' }),
    containers({ name: 1, image: 'i' }),
    containers({ name: {}, image: 'i' }),
    containers({ name: 'c', image: 'i', ports: [{}] }),
    containers({ name: 'c', image: 'i', ports: [{ protocol: 'TCP' }] }),
    containers({ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }),
    containers({ name: 'c', image: 'i', ports: [{ containerPort: 80, protocol: null }] }),
    containers({ name: 'c', image: 'i', ports: [{ containerPort: '80' }] }),
    containers({ name: 'c', image: 'i', env: [{ value: 'x' }] }),
    containers({ name: 'c', image: 'i', volumeMounts: [{ name: 'v' }] }),
    ports({}),
    ports({ name: 'x' }),
    ports({ protocol: 'UDP' }),
    deployment({ volumes: [{}] }),
    deployment({ imagePullSecrets: [{}] }),
    deployment({ hostAliases: [{ hostnames: ['x'] }] }),
    deployment({ topologySpreadConstraints: [{ topologyKey: 'x' }] }),
  ),
  ask(
    'elements that are twice there',
    containers({ name: 'c', image: 'i' }, { name: 'c', image: 'j' }),
    containers({ name: 'c', image: 'i' }, { name: 'd', image: 'j' }, { name: 'c' }, { name: 'd' }),
    containers({
      name: 'c',
      image: 'i',
      ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'TCP' }],
    }),
    containers({
      name: 'c',
      image: 'i',
      ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }],
    }),
    containers({
      name: 'c',
      image: 'i',
      env: [
        { name: 'E', value: '1' },
        { name: 'E', value: '2' },
      ],
    }),
    ports({ port: 80, name: 'a' }, { port: 80, name: 'b' }),
    ports({ port: 80, name: 'a' }, { port: 80, name: 'b', protocol: 'UDP' }),
    service({ ports: [{ port: 1 }] }, { finalizers: ['example.com/a', 'example.com/a'] }),
    service(
      { ports: [{ port: 1 }] },
      {
        ownerReferences: [
          { apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u' },
          { apiVersion: 'v1', kind: 'K', name: 'm', uid: 'u' },
        ],
      },
    ),
    service({ ipFamilies: ['IPv4', 'IPv4'], ports: [{ port: 1 }] }),
    deployment({
      tolerations: [
        { key: 'a', operator: 'Exists' },
        { key: 'a', operator: 'Exists' },
      ],
    }),
    deployment({ imagePullSecrets: [{ name: 'a' }, { name: 'a' }] }),
  ),
  ask(
    'nulls are as good as nothing, or a field of their own',
    service({ ports: [{ port: 80, targetPort: null }], selector: null }),
    service({ ports: [{ port: 80 }], sessionAffinity: null, externalIPs: null }),
    containers({ name: 'c', image: 'i', resources: null, ports: null, env: null }),
    containers({ name: 'c', image: 'i', command: null, args: [] }),
    containers({ name: 'c', image: 'i', securityContext: {}, resources: {} }),
    deployment({ securityContext: null, nodeSelector: null, affinity: {} }),
    deployment({ nodeSelector: {}, volumes: [], tolerations: [] }),
    service({ ports: [{ port: 80 }] }, { labels: null, annotations: {} }),
    service({ ports: [{ port: 80 }] }, { finalizers: [], ownerReferences: null }),
    service({ ports: [{ port: 80 }] }, { labels: { a: null } }),
  ),
  ask(
    'quantities, and numbers or words',
    containers({ name: 'c', image: 'i', resources: { requests: { cpu: 1, memory: '1Gi' } } }),
    containers({ name: 'c', image: 'i', resources: { requests: { cpu: 0.5 } } }),
    containers({ name: 'c', image: 'i', resources: { requests: { cpu: true } } }),
    containers({ name: 'c', image: 'i', resources: { requests: { cpu: {} } } }),
    containers({ name: 'c', image: 'i', resources: { requests: { cpu: 'x' } } }),
    containers({ name: 'c', image: 'i', resources: { requests: ['cpu'] } }),
    containers({ name: 'c', image: 'i', livenessProbe: { httpGet: { port: 80 } } }),
    containers({ name: 'c', image: 'i', livenessProbe: { httpGet: { port: 'web' } } }),
    containers({ name: 'c', image: 'i', livenessProbe: { httpGet: { port: true } } }),
    containers({ name: 'c', image: 'i', livenessProbe: { httpGet: { port: {} } } }),
    deployment({}, { strategy: { rollingUpdate: { maxSurge: '10%' } } }),
    deployment({}, { strategy: { rollingUpdate: { maxSurge: 2 } } }),
    deployment({}, { strategy: { rollingUpdate: { maxSurge: 2.5 } } }),
  ),
]);
