import { ask, del, get, type JsonObject, post, type Step, subject } from '../case.ts';
import { ingressclasses, ingresses, object, paths } from './objects.ts';
import { merge } from './patch-bodies.ts';
import { container, pods, serviceaccounts } from './pod-spec-cases.ts';

const nodes = paths('/api/v1/nodes');
const volumes = paths('/api/v1/persistentvolumes');
const claims = paths('/api/v1/namespaces/{ns}/persistentvolumeclaims');
const storageClasses = paths('/apis/storage.k8s.io/v1/storageclasses');
const attributesClasses = paths('/apis/storage.k8s.io/v1beta1/volumeattributesclasses');
const runtimeClasses = paths('/apis/node.k8s.io/v1/runtimeclasses');

/** The reference hears of a class a moment later. */
const heard = (step: Step): Step => ({ ...step, after: 1 });

const account = post(serviceaccounts(), object('default', { automountServiceAccountToken: false }));
const make = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): Step =>
  post(pods(), object(name, { spec: { containers: [container()], ...spec } }, metadata));

const aNode = (taints: JsonObject[], fields: JsonObject = {}): Step =>
  post(nodes('?dryRun=All'), object('{name}', { spec: { taints }, ...fields }));
const notReady = 'node.kubernetes.io/not-ready';

const claim = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject =>
  object(
    name,
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec } },
    metadata,
  );
const volume = (finalizers?: string[]): JsonObject =>
  object(
    '{name}',
    { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
    finalizers ? { finalizers } : {},
  );
const storageClass = (name: string, fields: JsonObject = {}, annotations: JsonObject = {}): Step =>
  post(storageClasses(), object(name, { provisioner: 'p', ...fields }, { annotations }));

/** A claim that is bound, as a controller would say. */
const bound = (name: string, storageClassName: string): Step[] => [
  post(claims(), claim(name, { storageClassName, volumeName: 'v' })),
  merge(claims(`${name}/status`), { status: { phase: 'Bound', capacity: { storage: '1Gi' } } }),
];
const grow = (name: string, storage: string): Step =>
  merge(claims(name), { spec: { resources: { requests: { storage } } } });

const ingress = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): Step =>
  post(
    ingresses(),
    object(
      name,
      { spec: { defaultBackend: { service: { name: 'a', port: { number: 1 } } }, ...spec } },
      metadata,
    ),
  );
const ingressClass = (name: string, isDefault: string): Step =>
  post(
    ingressclasses(),
    object(
      name,
      { spec: { controller: 'a.b/c' } },
      { annotations: { 'ingressclass.kubernetes.io/is-default-class': isDefault } },
    ),
  );

const runtimeClass = (fields: JsonObject): Step =>
  post(runtimeClasses(), object('{name}', { handler: 'h', ...fields }));
const of = { runtimeClassName: '{name}' };
const exists = (key: string, more: JsonObject = {}): JsonObject => ({ key, operator: 'Exists', ...more });
const equal = (key: string, value: string, more: JsonObject = {}): JsonObject => ({ key, value, ...more });

export const classes = [
  subject('admission-classes', [
    ask(
      'new nodes are not ready',
      post(nodes('?dryRun=All'), object('{name}')),
      aNode([{ key: 'a', effect: 'NoSchedule' }]),
      aNode([{ key: notReady, effect: 'NoExecute' }]),
      aNode([{ key: notReady, effect: 'NoSchedule', value: 'x' }]),
      aNode([], { status: { conditions: [{ type: 'Ready', status: 'True' }] } }),
      aNode([{ key: 'Not good', effect: 'NoSchedule' }]),
      post(nodes(), object('{name}')),
      merge(nodes('{name}'), { spec: { taints: null } }),
    ),
    ask(
      'a runtime costs something',
      account,
      runtimeClass({ overhead: { podFixed: { cpu: '100m', memory: '10Mi' } } }),
      heard(make('a', of)),
      make('b', { ...of, overhead: { cpu: '100m', memory: '10Mi' } }),
      make('c', { ...of, overhead: { cpu: '0.1', memory: '10485760' } }),
      make('d', { ...of, overhead: { cpu: '0.1' } }),
      make('e', { ...of, overhead: { cpu: '200m', memory: '10Mi' } }),
      make('f', { ...of, overhead: {} }),
      make('g', { overhead: { cpu: '100m' } }),
      make('h', { overhead: {} }),
      make('i', { overhead: { cpu: '100m' }, containers: [container({ name: 'Not_good' })] }),
      make('j', { ...of, overhead: { cpu: '1' }, containers: [container({ name: 'Not_good' })] }),
      make('k', { runtimeClassName: '{name}-nope' }),
      make('l', { runtimeClassName: '' }),
      make('m', { runtimeClassName: 'Not_good' }),
    ),
    ask(
      'a runtime without costs',
      account,
      runtimeClass({}),
      post(runtimeClasses(), object('{other}', { handler: 'h', overhead: {}, scheduling: {} })),
      heard(make('a', of)),
      make('b', { ...of, overhead: { cpu: '1' } }),
      make('c', { runtimeClassName: '{other}' }),
      make('d', { runtimeClassName: '{other}', overhead: { cpu: '1' } }),
    ),
    ask(
      'a runtime is on some nodes only',
      account,
      runtimeClass({
        scheduling: {
          nodeSelector: { a: 'b' },
          tolerations: [exists('k'), equal('l', 'v', { operator: 'Equal', effect: 'NoSchedule' })],
        },
      }),
      heard(make('a', of)),
      make('b', { ...of, nodeSelector: { a: 'b', c: 'd' } }),
      make('c', { ...of, nodeSelector: { a: 'c' } }),
      make('d', { ...of, nodeSelector: {} }),
      make('e', { ...of, tolerations: [exists('k'), exists('z')] }),
      make('f', { ...of, tolerations: [exists('k', { effect: 'NoSchedule' }), { operator: 'Exists' }] }),
      make('g', { ...of, tolerations: [equal('l', 'v')] }),
      make('h', { ...of, tolerations: [equal('l', 'v', { effect: 'NoSchedule' })] }),
      make('i', { ...of, tolerations: [equal('l', 'w', { effect: 'NoSchedule' }), exists(notReady)] }),
      make('j', { ...of, tolerations: [equal('m', 'v'), equal('m', 'v')] }),
    ),
    ask(
      'a runtime whose nodes are borne for a while',
      account,
      runtimeClass({
        scheduling: {
          tolerations: [
            exists('a', { effect: 'NoExecute', tolerationSeconds: 60 }),
            exists('b', { effect: 'NoExecute' }),
            equal('c', 'v'),
          ],
        },
      }),
      heard(make('a', of)),
      ...[5, 60, 100].map((tolerationSeconds) =>
        make(`b${tolerationSeconds}`, {
          ...of,
          tolerations: ['a', 'b'].map((key) => exists(key, { effect: 'NoExecute', tolerationSeconds })),
        }),
      ),
      make('c', {
        ...of,
        tolerations: [exists('b'), equal('c', 'v'), equal('c', 'v', { operator: 'Equal' })],
      }),
    ),
    ask(
      'storage is kept until nobody uses it',
      post(claims(), claim('a')),
      post(claims(), claim('b', {}, { finalizers: ['a.b/c', 'kubernetes.io/pvc-protection'] })),
      merge(claims('a'), { metadata: { finalizers: null } }),
      post(volumes('?dryRun=All'), volume()),
      post(volumes('?dryRun=All'), volume(['a.b/c'])),
      post(volumes('?dryRun=All'), volume(['kubernetes.io/pv-protection', 'a.b/c'])),
      post(attributesClasses('?dryRun=All'), object('{name}', { driverName: 'd.x', parameters: { a: 'b' } })),
    ),
    ask(
      'claims grow where their class lets them',
      storageClass('{name}', { allowVolumeExpansion: true }),
      storageClass('{other}'),
      bound('a', '{name}'),
      bound('b', '{other}'),
      bound('c', '{name}-nope'),
      bound('d', ''),
      heard(grow('a', '2Gi')),
      grow('a', '1Gi'),
      grow('b', '2Gi'),
      grow('b', '1024Mi'),
      grow('b', '0.5Gi'),
      grow('c', '2Gi'),
      grow('d', '2Gi'),
      merge(claims('b'), { metadata: { labels: { a: 'b' } } }),
    ),
    ask(
      'a pod is where its node is',
      account,
      post(
        nodes(),
        object(
          '{name}',
          {},
          {
            labels: {
              'topology.k8s.io/zone': 'z',
              'topology.k8s.io/region': 'r',
              'topology.k8s.io/rack': 'x',
              'topology.kubernetes.io/zone': 'y',
            },
          },
        ),
      ),
      heard(make('a', { nodeName: '{name}' })),
      make('b', { nodeName: '{name}' }, { labels: { a: 'b', 'topology.k8s.io/zone': 'own' } }),
      make('c', { nodeName: 'nowhere' }),
      make('d'),
      make('e'),
      post(pods('d/binding'), object('d', { target: { kind: 'Node', name: '{name}' } })),
      get(pods('d')),
      post(pods('e/binding'), object('e', { target: { name: '{name}' } })),
      get(pods('e')),
    ),
  ]),
  subject(
    'admission-class-defaults',
    [
      ask(
        'claims of no class',
        storageClass('{name}', {}, { 'storageclass.kubernetes.io/is-default-class': 'false' }),
        heard(post(claims(), claim('a'))),
        merge(storageClasses('{name}'), {
          metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
        }),
        heard(post(claims(), claim('b'))),
        post(claims(), claim('c', { storageClassName: '' })),
        post(claims(), claim('d', { storageClassName: 'x' })),
        post(claims(), claim('e', {}, { annotations: { 'volume.beta.kubernetes.io/storage-class': '' } })),
        heard(storageClass('{other}', {}, { 'storageclass.beta.kubernetes.io/is-default-class': 'true' })),
        heard(post(claims(), claim('f'))),
        merge(claims('a'), { metadata: { labels: { a: 'b' } } }),
        del(storageClasses('{other}')),
        del(storageClasses('{name}')),
        heard(post(claims(), claim('g'))),
      ),
      ask(
        'Ingresses of no class',
        ingress('a'),
        ingressClass('{name}', 'true'),
        heard(ingress('b')),
        ingress('c', { ingressClassName: 'x' }),
        ingress('d', {}, { annotations: { 'kubernetes.io/ingress.class': '' } }),
        heard(ingressClass('{other}', 'true')),
        heard(ingress('e')),
        merge(ingresses('a'), { metadata: { labels: { a: 'b' } } }),
        del(ingressclasses('{other}')),
        del(ingressclasses('{name}')),
        heard(ingress('f')),
      ),
    ],
    { alone: true },
  ),
];
