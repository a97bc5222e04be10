import { ask, del, get, type Json, type JsonObject, post, type Step, subject } from '../case.ts';
import { object } from './objects.ts';
import { merge, strategic } from './patch-bodies.ts';
import { container, pods, serviceaccounts } from './pod-spec-cases.ts';

const account = (name: string, fields: JsonObject = {}, metadata: JsonObject = {}): Step =>
  post(serviceaccounts(), object(name, fields, metadata));
const spec = (fields: JsonObject = {}): JsonObject => ({ containers: [container()], ...fields });
/** The name of the volume is made up: as if it were the pod's own to begin with. */
const named = (step: Step): Step => ({
  ...step,
  pick: (body) => JSON.parse(JSON.stringify(body).replaceAll(/(kube-api-access)-\w{5}/g, '$1-<any>')) as Json,
});
const make = (name: string, fields: JsonObject = {}, metadata: JsonObject = {}): Step =>
  named(post(pods(), object(name, { spec: spec(fields) }, metadata)));
const mirror = (name: string, fields: JsonObject = {}): Step =>
  make(name, { nodeName: 'n', ...fields }, { annotations: { 'kubernetes.io/config.mirror': 'x' } });

const path = '/var/run/secrets/kubernetes.io/serviceaccount';
const mounted = (mountPath: string): JsonObject => ({
  containers: [container({ volumeMounts: [{ name: 'own', mountPath }] })],
  volumes: [{ name: 'own', emptyDir: {} }],
});
const variable: JsonObject = {
  env: [{ name: 'v', valueFrom: { secretKeyRef: { name: 'other', key: 'k' } } }],
};
const variables: JsonObject = { envFrom: [{ secretRef: { name: 'other' } }] };
const volume = (source: JsonObject): JsonObject => ({ volumes: [{ name: 'v', ...source }] });

const withSecrets: JsonObject[] = [
  { secret: { secretName: 'other' } },
  { projected: { sources: [{ secret: { name: 'other' } }] } },
  { projected: { sources: [{ configMap: { name: 'other' } }] } },
  { projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
  { csi: { driver: 'd.x', nodePublishSecretRef: { name: 'other' } } },
  { azureFile: { shareName: 's', secretName: 'other' } },
  { cephfs: { monitors: ['m'], secretRef: { name: 'other' } } },
  { flexVolume: { driver: 'a/b', secretRef: { name: 'other' } } },
  { rbd: { image: 'x', monitors: ['m'], secretRef: { name: 'other' } } },
  { scaleIO: { gateway: 'g', system: 's', volumeName: 'v', secretRef: { name: 'other' } } },
  { storageos: { volumeName: 'v', secretRef: { name: 'other' } } },
  { configMap: { name: 'other' } },
  { persistentVolumeClaim: { claimName: 'other' } },
];

export const accounts = subject('admission-accounts', [
  ask(
    'an account that is not there',
    make('a'),
    make('a', { serviceAccountName: 'other' }),
    make('a', { serviceAccount: 'other' }),
    post(pods(), { metadata: { generateName: 'gen-' }, spec: spec() }),
    make('a', { serviceAccountName: 'Not_good' }),
  ),
  ask(
    'pods get a token',
    account('default'),
    make('a'),
    make('b', { serviceAccountName: 'default' }),
    make('c', { serviceAccount: 'default' }),
    make('d', {
      containers: [container(), container({ name: 'd' })],
      initContainers: [container({ name: 'i' })],
    }),
    make('e', mounted(path)),
    make('f', mounted(`${path}/`)),
    make('g', mounted('/elsewhere')),
    make('h', { ...mounted(path), initContainers: [container({ name: 'i' })] }),
    make('i', volume({ name: 'kube-api-access-own', emptyDir: {} })),
    make('j', { ...volume({ emptyDir: {} }), automountServiceAccountToken: true }),
    named(post(pods('?dryRun=All'), object('k', { spec: spec() }))),
    named(merge(pods('a'), { metadata: { labels: { a: 'b' } } })),
  ),
  ask(
    'or none, if the pod or its account does not want one',
    account('default', { automountServiceAccountToken: false }),
    account('gives', { automountServiceAccountToken: true }),
    make('a'),
    make('b', { automountServiceAccountToken: true }),
    make('c', { serviceAccountName: 'gives' }),
    make('d', { serviceAccountName: 'gives', automountServiceAccountToken: false }),
  ),
  ask(
    'pods get the secrets that images are pulled with',
    account('default', {
      automountServiceAccountToken: false,
      imagePullSecrets: [{ name: 'a' }, { name: 'b' }],
    }),
    make('a'),
    make('b', { imagePullSecrets: [{ name: 'own' }] }),
    make('c', { imagePullSecrets: [] }),
  ),
  ask(
    'pods that nodes run by themselves',
    account('default'),
    mirror('a'),
    mirror('b', { serviceAccountName: 'default' }),
    mirror('b', { containers: [container(variable)] }),
    mirror('b', { containers: [container(variables)] }),
    mirror('b', { initContainers: [container({ name: 'i', ...variable })] }),
    mirror('b', { imagePullSecrets: [{ name: 'a' }] }),
    mirror('b', { containers: [container({ name: 'Not_good' })], serviceAccountName: 'default' }),
    withSecrets.map((source, i) => mirror(`v${i}`, volume(source))),
  ),
  ask(
    'accounts that let their pods use certain secrets only',
    account(
      'default',
      {
        automountServiceAccountToken: false,
        secrets: [{ name: 'good' }],
        imagePullSecrets: [{ name: 'pull' }],
      },
      { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
    ),
    make('a'),
    make('b', volume({ secret: { secretName: 'good' } })),
    make('c', { imagePullSecrets: [{ name: 'other' }] }),
    make('c', { imagePullSecrets: [{ name: 'pull' }, { name: 'good' }] }),
    make('d', { imagePullSecrets: [{ name: 'pull' }] }),
    make('e', { containers: [container(variable)] }),
    make('e', { containers: [container(variables)] }),
    make('e', { initContainers: [container({ name: 'i', ...variable })] }),
    make('e', {
      initContainers: [container({ name: 'i', ...variables })],
      containers: [container(variable)],
    }),
    make('e', { ...volume({ secret: { secretName: 'other' } }), containers: [container(variable)] }),
    make('e', {
      ...volume({ secret: { secretName: 'other' } }),
      containers: [container({ name: 'Not_good' })],
    }),
    withSecrets.map((source, i) => make(`v${i}`, volume(source))),
    strategic(pods('a/ephemeralcontainers'), {
      spec: { ephemeralContainers: [container({ name: 'e', ...variable })] },
    }),
    strategic(pods('a/ephemeralcontainers'), {
      spec: { ephemeralContainers: [container({ name: 'e', ...variables })] },
    }),
    strategic(pods('a/ephemeralcontainers'), { spec: { ephemeralContainers: [container({ name: 'e' })] } }),
    del(serviceaccounts('default')),
    strategic(pods('a/ephemeralcontainers'), { spec: { ephemeralContainers: [container({ name: 'f' })] } }),
  ),
  ask(
    'how an account says so',
    ['false', 'yes', '1', 'T', 't', 'TRUE', 'True', 'tRue', ''].flatMap((text, i) => [
      account(`a${i}`, {}, { annotations: { 'kubernetes.io/enforce-mountable-secrets': text } }),
      make(`p${i}`, {
        ...volume({ secret: { secretName: 'other' } }),
        ...{ serviceAccountName: `a${i}`, automountServiceAccountToken: false },
      }),
    ]),
    account('plain'),
    merge(serviceaccounts('plain'), {
      metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
    }),
    // The reference patches what its watch cache has, and warns once more if that is the state before.
    get(serviceaccounts('plain?resourceVersion=0'), {
      until: ({ metadata }) => JSON.stringify(metadata).includes('enforce-mountable-secrets":"true'),
    }),
    merge(serviceaccounts('plain'), {
      metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'false' } },
    }),
  ),
]);
