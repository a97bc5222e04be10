import { ask, get, type JsonObject, post, put, subject } from '../case.ts';
import { apply, intent, patchBy } from './applies.ts';
import { object, paths } from './objects.ts';

const pods = paths('/api/v1/namespaces/{ns}/pods');
const account = post('/api/v1/namespaces/{ns}/serviceaccounts', object('default'));
const toleration = (key: string) => ({
  key: `node.kubernetes.io/${key}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
});
const plain = {
  serviceAccountName: 'default',
  automountServiceAccountToken: false,
  enableServiceLinks: true,
  priority: 0,
  preemptionPolicy: 'PreemptLowerPriority',
  tolerations: [toleration('not-ready'), toleration('unreachable')],
};
const pod = (spec: JsonObject, metadata: JsonObject = {}, status?: JsonObject) =>
  intent('v1', 'Pod', 'a', { spec, ...(status && { status }) }, metadata);
const container = { name: 'c', image: 'i', resources: { requests: { cpu: '1', memory: '1Gi' } } };
const made = apply(pods('a'), pod({ ...plain, containers: [container] }), { by: 'one' });
const statusOf = (status: JsonObject, metadata: JsonObject = {}) =>
  intent('v1', 'Pod', 'a', { status }, metadata);

/** Pods, which allow little to be changed, and have many paths below them. */
export const applyPods = subject('apply-pods', [
  ask(
    'what may change and what may not',
    account,
    made,
    made,
    apply(pods('a'), pod({ ...plain, containers: [{ ...container, image: 'j' }] }, { labels: { l: 'm' } }), {
      by: 'one',
    }),
    apply(pods('a'), pod({ containers: [{ name: 'c', image: 'k' }] }), { by: 'two' }),
    apply(pods('a'), pod({ containers: [{ name: 'c', image: 'k' }] }), { by: 'two', force: true }),
    apply(pods('a'), pod({ containers: [{ name: 'd', image: 'k' }] }), { by: 'three' }),
    apply(pods('a'), pod({ hostname: 'h' }), { by: 'three' }),
    apply(pods('a'), pod({ ...plain, containers: [{ name: 'c' }] }), { by: 'one' }),
    apply(pods('a'), pod({ ...plain }), { by: 'one' }),
    apply(pods('a'), pod({ activeDeadlineSeconds: 5 }), { by: 'three' }),
    apply(pods('a'), pod({}), { by: 'three' }),
    get(pods('a')),
  ),
  ask(
    'status',
    account,
    made,
    apply(pods('a/status'), statusOf({ phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }), {
      by: 'node',
    }),
    apply(
      pods('a/status'),
      statusOf(
        { conditions: [{ type: 'Ready', status: 'False' }] },
        { labels: { l: 'm' }, ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u' }] },
      ),
      { by: 'other' },
    ),
    apply(
      pods('a/status'),
      statusOf(
        { conditions: [{ type: 'Mine', status: 'False' }] },
        { labels: { l: 'm' }, ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u' }] },
      ),
      { by: 'other' },
    ),
    patchBy(
      'kubelet',
      pods('a/status'),
      {
        status: {
          podIPs: [{ ip: '192.0.2.1' }],
          podIP: '192.0.2.1',
          hostIP: '192.0.2.2',
          hostIPs: [{ ip: '192.0.2.2' }],
        },
      },
      'strategic-merge-patch+json',
    ),
    apply(pods('a/status'), statusOf({ podIPs: [{ ip: '192.0.2.9' }] }), { by: 'other' }),
    apply(
      pods('a/status'),
      statusOf({
        containerStatuses: [{ name: 'c', ready: true, restartCount: 0, image: 'i', imageID: 'x' }],
      }),
      {
        by: 'node',
      },
    ),
    apply(pods('a'), pod({ ...plain, containers: [container] }, {}, { phase: 'Failed' }), {
      by: 'one',
      after: 1.1,
    }),
    apply(pods('a/status'), statusOf({}), { by: 'node' }),
    get(pods('a')),
  ),
  ask(
    'ephemeral containers',
    account,
    made,
    apply(pods('a/ephemeralcontainers'), pod({ ephemeralContainers: [{ name: 'e', image: 'i' }] }), {
      by: 'debugger',
    }),
    apply(pods('a/ephemeralcontainers'), pod({ ephemeralContainers: [{ name: 'f', image: 'i' }] }), {
      by: 'other',
    }),
    apply(pods('a/ephemeralcontainers'), pod({ ephemeralContainers: [{ name: 'e', image: 'j' }] }), {
      by: 'other',
    }),
    apply(pods('a/ephemeralcontainers'), pod({}), { by: 'debugger' }),
    apply(pods('a'), pod({ ephemeralContainers: [{ name: 'g', image: 'i' }] }), { by: 'one' }),
    patchBy(
      'patcher',
      pods('a/ephemeralcontainers'),
      { spec: { ephemeralContainers: [{ name: 'h', image: 'i' }] } },
      'strategic-merge-patch+json',
    ),
    get(pods('a')),
  ),
  ask(
    'resize',
    account,
    made,
    apply(pods('a/resize'), pod({ containers: [{ name: 'c', resources: { requests: { cpu: '2' } } }] }), {
      by: 'sizer',
    }),
    apply(pods('a/resize'), pod({ containers: [{ name: 'c', resources: { requests: { cpu: '2' } } }] }), {
      by: 'sizer',
      force: true,
    }),
    apply(pods('a/resize'), pod({ containers: [{ name: 'c', image: 'j' }] }), { by: 'other', force: true }),
    apply(pods('a'), pod({ ...plain, containers: [container] }), { by: 'one' }),
    patchBy(
      'patcher',
      pods('a/resize'),
      { spec: { containers: [{ name: 'c', resources: { requests: { cpu: '3' } } }] } },
      'strategic-merge-patch+json',
    ),
    get(pods('a')),
  ),
  ask(
    'binding owns nothing, and neither does eviction',
    account,
    made,
    post(
      pods('a/binding?fieldManager=scheduler'),
      object('a', { target: { kind: 'Node', name: 'n' } }, { annotations: { x: 'y' } }),
    ),
    get(pods('a')),
    post(pods('a/eviction?fieldManager=evictor'), object('a', { apiVersion: 'policy/v1', kind: 'Eviction' })),
    get(pods('a')),
  ),
  ask(
    'elements deep in a pod',
    account,
    apply(
      pods('a'),
      pod({
        ...plain,
        containers: [
          {
            ...container,
            ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }],
            env: [
              { name: 'A', value: '1' },
              { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            ],
            volumeMounts: [{ name: 'v', mountPath: '/v' }],
            volumeDevices: [{ name: 'w', devicePath: '/dev/w' }],
          },
        ],
        volumes: [
          { name: 'v', projected: { sources: [{ configMap: { name: 'x' } }] } },
          { name: 'w', persistentVolumeClaim: { claimName: 'w' } },
        ],
        hostAliases: [{ ip: '192.0.2.1', hostnames: ['x'] }],
        imagePullSecrets: [{ name: 's' }],
        topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'k', whenUnsatisfiable: 'DoNotSchedule' }],
        readinessGates: [{ conditionType: 'example.com/x' }],
        schedulingGates: [{ name: 'example.com/g' }],
        nodeSelector: { a: 'b' },
        securityContext: { supplementalGroups: [1, 2], sysctls: [{ name: 'kernel.x', value: '1' }] },
      }),
      { by: 'one' },
    ),
    post(
      pods('?fieldManager=maker'),
      object('b', {
        spec: {
          ...plain,
          containers: [
            { ...container, ports: [{ containerPort: 80 }], livenessProbe: { httpGet: { port: 'x' } } },
          ],
          topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'k', whenUnsatisfiable: 'DoNotSchedule' }],
          dnsConfig: { nameservers: ['192.0.2.1'], options: [{ name: 'x' }] },
        },
      }),
      { as: 'b' },
    ),
    put(pods('b?fieldManager=editor'), (kept) => ({
      ...kept.b,
      spec: {
        ...(kept.b?.spec as JsonObject),
        tolerations: [...plain.tolerations, { key: 'x', operator: 'Exists' }],
      },
    })),
    apply(pods('a'), pod({ schedulingGates: [] }), { by: 'two' }),
    apply(pods('a'), pod({ tolerations: [...plain.tolerations, { key: 'x', operator: 'Exists' }] }), {
      by: 'two',
    }),
  ),
]);
