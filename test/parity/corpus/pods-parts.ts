import { ask, del, get, type JsonObject, type Kept, post, put, type Step, subject } from '../case.ts';
import { withChange } from './lifecycle.ts';
import { object, paths } from './objects.ts';
import { container, pod, pods, withAccount } from './pod-spec-cases.ts';

const bindings = paths('/api/v1/namespaces/{ns}/bindings');
const budgets = paths('/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets');
const make = (fields: JsonObject = {}, metadata: JsonObject = {}): Step[] => [
  withAccount,
  post(pods(), pod('a', fields, metadata), { as: 'a' }),
];
const node = { kind: 'Node', name: 'n1' };
const binding = (name: string, target: JsonObject | null = node, metadata: JsonObject = {}): JsonObject =>
  object(name, target ? { target } : {}, metadata);
const bind = (body: JsonObject): Step => post(pods('a/binding?dryRun=All'), body);

const ephemeral = (...containers: JsonObject[]): Step =>
  put(
    pods('a/ephemeralcontainers?dryRun=All'),
    withChange('a', { spec: { ephemeralContainers: containers } }),
  );
/** The pod with other resources of its first container. */
const resize = (resources: JsonObject, fields: JsonObject = {}): Step =>
  put(pods('a/resize?dryRun=All'), (kept: Kept) => {
    const spec = kept.a?.spec as JsonObject;
    const [first, ...rest] = spec.containers as JsonObject[];
    return { ...kept.a, spec: { ...spec, containers: [{ ...first, resources, ...fields }, ...rest] } };
  });

const eviction = (name: string, deleteOptions?: JsonObject): JsonObject =>
  object(name, deleteOptions ? { deleteOptions } : {});
const evict = (query = '', deleteOptions?: JsonObject): Step =>
  post(pods(`a/eviction${query}`), eviction('a', deleteOptions));
const status = (phase: string, ready: string): JsonObject => ({
  phase,
  conditions: [{ type: 'Ready', status: ready, lastTransitionTime: '2024-01-01T00:00:00Z' }],
});
const running = (ready = 'True', phase = 'Running'): Step[] => [
  ...make({ nodeName: 'n' }, { labels: { app: 'x' } }),
  put(pods('a/status'), withChange('a', { status: status(phase, ready) }), { as: 'a' }),
];
const budget = (name: string, counts: JsonObject | undefined, spec: JsonObject = {}): Step[] => [
  post(
    budgets(),
    object(name, { spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } }, ...spec } }),
    { as: name },
  ),
  ...(counts
    ? [
        put(
          budgets(`${name}/status`),
          withChange(name, {
            status: {
              observedGeneration: 1,
              disruptionsAllowed: 0,
              currentHealthy: 0,
              desiredHealthy: 0,
              expectedPods: 1,
              ...counts,
            },
          }),
        ),
      ]
    : []),
];

export const podParts = subject('pods-parts', [
  ask(
    'a binding gives a pod its node',
    make({}, { labels: { l: 'old' }, annotations: { x: 'old' } }),
    bind(binding('zz')),
    bind({}),
    bind(binding('a', node, { namespace: 'x' })),
    bind(binding('a', null)),
    bind(binding('a', { kind: 'Pod', name: 'x' })),
    bind(binding('a', { kind: 'Pod' })),
    bind(binding('a', { name: 'x' })),
    bind(binding('a', { kind: 'Node', name: 'A_' })),
    bind(binding('a', node, { uid: 'nope' })),
    bind({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }),
    post(pods('nope/binding'), binding('nope')),
    get(pods('a/binding')),
    bind(binding('a')),
    get(pods('a')),
    post(pods('a/binding'), binding('a', node, { labels: { l: 'm' }, annotations: { x: 'y' } })),
    get(pods('a')),
    post(pods('a/binding'), binding('a')),
    post(bindings(), binding('a')),
  ),
  ask(
    'bindings are a collection too',
    make(),
    post(bindings(), { target: node }),
    post(bindings(), binding('nope')),
    get(bindings()),
    post(bindings('?dryRun=All'), binding('a')),
    post(bindings(), binding('a', node, { annotations: { x: 'y' } })),
    get(pods('a')),
    del(pods('a?gracePeriodSeconds=20')),
    post(bindings(), binding('a')),
  ),
  ask(
    'no node for a pod behind gates',
    make({ schedulingGates: [{ name: 'g' }] }),
    bind(binding('a')),
    get(pods('a')),
  ),
  ask(
    'ephemeral containers are added, and stay',
    make(),
    get(pods('a/ephemeralcontainers')),
    ephemeral(container({ name: 'e', targetContainerName: 'c' })),
    ephemeral(container({ targetContainerName: 'x', ports: [{ containerPort: 1 }], image: ' a' })),
    ephemeral(
      container({
        name: 'e',
        resources: { requests: { cpu: '1' } },
        livenessProbe: { tcpSocket: { port: 1 } },
      }),
    ),
    put(
      pods('a/ephemeralcontainers?dryRun=All'),
      withChange('a', { spec: { hostname: 'x', ephemeralContainers: [container({ name: 'e' })] } }),
    ),
    put(
      pods('a/ephemeralcontainers?dryRun=All'),
      object('a', { spec: { ephemeralContainers: [container({ name: 'e' })] } }, { labels: { q: 'r' } }),
    ),
    put(
      pods('a/ephemeralcontainers'),
      withChange('a', { spec: { ephemeralContainers: [container({ name: 'e' })] } }),
      { as: 'a' },
    ),
    ephemeral(),
    ephemeral(container({ name: 'e', image: 'other' })),
    ephemeral(container({ name: 'f' }), container({ name: 'e' })),
    put(pods('nope/ephemeralcontainers'), pod('nope')),
    get(pods('a')),
  ),
  ask(
    'resources change in place',
    make({
      initContainers: [container({ name: 's', restartPolicy: 'Always' }), container({ name: 'i' })],
      containers: [
        container({ resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '2Gi' } } }),
      ],
    }),
    get(pods('a/resize')),
    resize({ requests: { cpu: '2', memory: '1Gi' }, limits: { memory: '2Gi' } }),
    resize({ requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '1Gi' } }),
    resize(
      { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '1Gi' } },
      { resizePolicy: [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }] },
    ),
    resize({ requests: { cpu: '1', memory: '1500Mi' }, limits: { memory: '3Gi' } }),
    resize({ limits: { memory: '2Gi' } }),
    resize({ requests: { cpu: '1', memory: '1Gi' } }),
    resize({ requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '2Gi', cpu: '3' } }),
    resize({ requests: { cpu: '1', memory: '1Gi', 'ephemeral-storage': '1' }, limits: { memory: '2Gi' } }),
    resize({}),
    resize(
      { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '2Gi' } },
      { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }] },
    ),
    resize({ requests: { cpu: '1', memory: '3Gi' }, limits: { memory: '2Gi' } }),
    resize({ requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '2Gi' } }, { image: 'other' }),
    put(pods('a/resize?dryRun=All'), withChange('a', { spec: { hostname: 'x' } })),
    put(pods('a/resize?dryRun=All'), (kept) => ({
      ...kept.a,
      metadata: { ...(kept.a?.metadata as JsonObject), labels: { q: 'r' } },
    })),
    put(
      pods('a/resize?dryRun=All'),
      withChange('a', {
        spec: {
          initContainers: [
            container({ name: 's', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } }),
            container({ name: 'i' }),
          ],
        },
      }),
    ),
    put(
      pods('a/resize?dryRun=All'),
      withChange('a', {
        spec: {
          initContainers: [
            container({ name: 's', restartPolicy: 'Always' }),
            container({ name: 'i', resources: { requests: { cpu: '1' } } }),
          ],
        },
      }),
    ),
    put(
      pods('a/resize?dryRun=All'),
      withChange('a', {
        spec: {
          initContainers: [container({ name: 'i' }), container({ name: 's', restartPolicy: 'Always' })],
        },
      }),
    ),
    put(
      pods('a/resize?dryRun=All'),
      withChange('a', { spec: { containers: [container(), container({ name: 'd' })] } }),
    ),
    put(pods('a/resize?dryRun=All'), withChange('a', { spec: { resources: { limits: { cpu: '4' } } } })),
    put(pods('a/resize'), (kept) => {
      const spec = kept.a?.spec as JsonObject;
      const [first] = spec.containers as JsonObject[];
      return {
        ...kept.a,
        spec: {
          ...spec,
          containers: [
            { ...first, resources: { requests: { cpu: '3', memory: '1Gi' }, limits: { memory: '2Gi' } } },
          ],
        },
      };
    }),
  ),
  ask(
    'resources that were not there before',
    make({ containers: [container({ resources: { requests: { cpu: '1' } } }), container({ name: 'd' })] }),
    resize({ requests: { cpu: '1' }, limits: { memory: '1Gi' } }),
    resize({ requests: { cpu: '1', 'ephemeral-storage': '1' } }),
    put(
      pods('a/resize?dryRun=All'),
      withChange('a', {
        spec: {
          containers: [
            container({ resources: { requests: { cpu: '1' } } }),
            container({ name: 'd', resources: { requests: { 'ephemeral-storage': '1' } } }),
          ],
        },
      }),
    ),
  ),
  ask('pods that are never resized', make({ os: { name: 'windows' } }), resize({ requests: { cpu: '1' } })),
  ask(
    'nor those with resources of their own',
    make({ resources: { limits: { cpu: '1' } } }),
    resize({ requests: { cpu: '1' } }),
  ),
  ask(
    'evicted without a budget',
    running(),
    evict('?dryRun=All'),
    post(pods('a/eviction'), eviction('zz')),
    post(pods('a/eviction'), {}),
    evict('', { preconditions: { uid: 'x' } }),
    evict('', { propagationPolicy: 'x' }),
    evict('', { dryRun: ['x'] }),
    evict('', { dryRun: ['All'] }),
    post(pods('nope/eviction'), eviction('nope')),
    get(pods('a/eviction')),
    evict(),
    get(pods('a')),
    evict(),
    evict('', { gracePeriodSeconds: 0 }),
    get(pods('a')),
  ),
  ask('a budget that nobody has counted yet', running(), budget('b', undefined), evict()),
  ask(
    'a budget with nothing left',
    running(),
    budget('b', { currentHealthy: 1, desiredHealthy: 1 }),
    evict(),
    evict('?dryRun=All'),
    evict('', { gracePeriodSeconds: 0 }),
  ),
  ask(
    'a budget is spent',
    running(),
    budget('b', { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1 }),
    evict('?dryRun=All'),
    get(budgets('b')),
    evict('', { gracePeriodSeconds: 7 }),
    get(budgets('b')),
    get(pods('a')),
    evict(),
    get(budgets('b')),
  ),
  ask(
    'two budgets are one too many',
    running(),
    budget('b', { disruptionsAllowed: 1 }),
    budget('c', { disruptionsAllowed: 1 }),
    evict(),
  ),
  ask(
    'a pod that is not ready while the others are enough',
    running('False'),
    budget('b', { currentHealthy: 1, desiredHealthy: 1 }),
    evict(),
    get(budgets('b')),
  ),
  ask(
    'a pod that is not ready while too few are',
    running('False'),
    budget('b', { currentHealthy: 0, desiredHealthy: 1 }),
    evict(),
  ),
  ask(
    'a pod that is not ready and may always go',
    running('False'),
    budget('b', { currentHealthy: 0, desiredHealthy: 1 }, { unhealthyPodEvictionPolicy: 'AlwaysAllow' }),
    evict(),
    get(budgets('b')),
  ),
  ask(
    'a pod that is over',
    running('True', 'Succeeded'),
    budget('b', { currentHealthy: 1, desiredHealthy: 1 }),
    evict(),
    get(pods('a')),
  ),
  ask(
    'a pod that has not begun',
    running('False', 'Pending'),
    budget('b', { currentHealthy: 0, desiredHealthy: 1 }),
    evict(),
    get(pods('a')),
  ),
  ask('a budget for all', running(), budget('b', { desiredHealthy: 0 }, { selector: {} }), evict()),
  ask('a budget for none', running(), budget('b', { desiredHealthy: 0 }, { selector: null }), evict()),
]);
