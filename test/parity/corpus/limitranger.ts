import { ask, del, get, type JsonObject, type Kept, post, put, type Step, subject } from '../case.ts';
import { object, paths } from './objects.ts';
import { container, pod, pods, withAccount } from './pod-spec-cases.ts';

const ranges = paths('/api/v1/namespaces/{ns}/limitranges');
const claims = paths('/api/v1/namespaces/{ns}/persistentvolumeclaims');

const range = (name: string, ...limits: JsonObject[]): Step =>
  post(ranges(), object(name, { spec: { limits } }));
/** A namespace with a range and the account that pods need. */
const limited = (...limits: JsonObject[]): Step[] => [withAccount, range('l', ...limits)];

const using = (name: string, limits?: JsonObject, requests?: JsonObject, fields: JsonObject = {}) =>
  container({ name, resources: { ...(limits && { limits }), ...(requests && { requests }) }, ...fields });
const dry = (containers: JsonObject[], fields: JsonObject = {}, metadata: JsonObject = {}): Step =>
  post(pods('?dryRun=All'), pod('a', { containers, ...fields }, metadata));

/** A claim with nothing left for other plugins to add. */
const claim = (storage: string, limit?: string): JsonObject =>
  object(
    'v',
    {
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'none',
        resources: { requests: { storage }, ...(limit && { limits: { storage: limit } }) },
      },
    },
    { finalizers: ['kubernetes.io/pvc-protection'] },
  );
const dryClaim = (storage: string, limit?: string): Step =>
  post(claims('?dryRun=All'), claim(storage, limit));

const relabelled = (name: string) => (kept: Kept) => {
  const { metadata, ...rest } = kept[name] ?? {};
  return { ...rest, metadata: { ...(metadata as JsonObject), labels: { a: 'b' } } };
};
const resized = (name: string, limits: JsonObject) => (kept: Kept) => {
  const { spec, ...rest } = kept[name] ?? {};
  const [first] = (spec as JsonObject).containers as JsonObject[];
  const resources = { ...(first?.resources as JsonObject), limits };
  return { ...rest, spec: { ...(spec as JsonObject), containers: [{ ...first, resources }] } };
};

export const limitRanger = subject('limitranger', [
  ask(
    'containers get the defaults they do not have themselves, and a note says which',
    limited({ type: 'Container', max: { cpu: '2', memory: '1Gi' }, min: { cpu: '100m' } }),
    dry([using('c')]),
    dry([using('c', { cpu: '1' })]),
    dry([using('c', undefined, { cpu: '1' })]),
    dry([using('c', { cpu: '1', memory: '1Mi' })]),
    dry([using('a'), using('b', { cpu: '1' })], {
      initContainers: [using('i'), using('j', undefined, { cpu: '1' })],
    }),
    dry([using('c')], {}, { annotations: { 'kubernetes.io/limit-ranger': 'x', other: 'y' } }),
    dry([using('c')], {}, { name: '', generateName: 'g-' }),
    dry([using('c')], { resources: { limits: { cpu: '2', memory: '1Gi' } } }),
  ),
  ask(
    'a limit and a request have defaults of their own',
    limited({
      type: 'Container',
      default: { cpu: '1', 'example.com/gpu': '2' },
      defaultRequest: { cpu: '500m', memory: '10Mi', 'example.com/gpu': '2' },
    }),
    dry([using('c')]),
    dry([using('c', { cpu: '200m' })]),
    dry([using('c', undefined, { cpu: '700m', memory: '1' })]),
    dry([using('c', undefined, { cpu: '2' })]),
  ),
  ask(
    'a container is held to its least, its most and its ratio',
    limited({
      type: 'Container',
      max: { cpu: '2' },
      min: { cpu: '100m' },
      maxLimitRequestRatio: { cpu: '4' },
    }),
    dry([using('c', { cpu: '3' }, { cpu: '10m' })]),
    dry([using('c', { cpu: '3' })]),
    dry([using('c', { cpu: '50m' })]),
    dry([using('c', { cpu: '2' }, { cpu: '0' })]),
    dry([using('c', { cpu: '2' }, { cpu: '500m' })]),
    dry([using('c', { cpu: '2' }, { cpu: '333m' })]),
    dry([using('a', { cpu: '2' }, { cpu: '100m' }), using('b', { cpu: '2' }, { cpu: '50m' })], {
      initContainers: [using('i', { cpu: '9' })],
    }),
    dry([using('a', { cpu: '9' }), using('b', { cpu: '9' })]),
    dry([using('c', { cpu: '3' })], {}, { name: '' }),
  ),
  ask(
    'a ratio needs a request and a limit',
    limited(
      { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
      { type: 'Pod', maxLimitRequestRatio: { memory: '2' } },
    ),
    dry([using('c')]),
    dry([using('c', { cpu: '1' }, { memory: '1Mi' })]),
    dry([using('c', undefined, { cpu: '1', memory: '1Mi' })]),
    dry([using('c', { cpu: '1', memory: '1Mi' })]),
    dry([using('c', { cpu: '1500m', memory: '30Mi' }, { cpu: '1', memory: '10Mi' })]),
    dry([using('c', { cpu: '1', memory: '0' }, { memory: '0' })]),
  ),
  ask(
    'a pod is held to what its containers are together',
    limited({ type: 'Pod', max: { cpu: '2' }, min: { cpu: '300m' } }),
    dry([using('c')]),
    dry([using('c', { cpu: '1' })]),
    dry([using('a', { cpu: '1' }), using('b', { cpu: '1500m' })]),
    dry([using('a', { cpu: '1' }, { cpu: '100m' }), using('b', { cpu: '1' }, { cpu: '100m' })]),
    dry([using('c', { cpu: '1' }, { cpu: '100m' })], { initContainers: [using('i', { cpu: '3' })] }),
    dry([using('c', { cpu: '1' })], {
      initContainers: [using('s', { cpu: '1500m' }, undefined, { restartPolicy: 'Always' })],
    }),
    dry([using('c', { cpu: '1' })], {
      initContainers: [using('s', { cpu: '1' }, undefined, { restartPolicy: 'Always' })],
    }),
    dry([using('c', undefined, { cpu: '3' })]),
  ),
  ask(
    'what a pod says as a whole is what it is held to',
    limited({ type: 'Pod', max: { cpu: '2' } }),
    dry([using('c', { cpu: '1' })], { resources: { limits: { cpu: '3' } } }),
    dry([using('c', undefined, { cpu: '500m' })], { resources: { limits: { cpu: '2' } } }),
    dry([using('c', { cpu: '1' }, { cpu: '500m' })], { resources: { requests: { cpu: '3' } } }),
  ),
  ask(
    'limits of containers and of pods are looked at in the order they stand in',
    limited(
      { type: 'Pod', max: { 'example.com/gpu': '1' }, maxLimitRequestRatio: { memory: '2' } },
      { type: 'Container', max: { cpu: '1' } },
    ),
    dry([using('c', { cpu: '3', 'example.com/gpu': '2', memory: '3Mi' }, { memory: '1Mi' })]),
    dry([using('c', { cpu: '1', 'example.com/gpu': '1', memory: '3Mi' }, { memory: '2Mi' })]),
  ),
  ask(
    'a change of a pod is not held to anything, but a resize is',
    withAccount,
    post(pods(), pod('a', { containers: [using('c', { cpu: '1', memory: '1Gi' }, { cpu: '500m' })] }), {
      as: 'a',
    }),
    range('l', { type: 'Container', max: { cpu: '800m' } }, { type: 'Pod', max: { cpu: '700m' } }),
    put(pods('a'), relabelled('a')),
    get(pods('a'), { as: 'b' }),
    put(pods('a/resize'), resized('b', { cpu: '2', memory: '1Gi' })),
    put(pods('a/resize'), resized('b', { cpu: '750m', memory: '1Gi' })),
    put(pods('a/resize?dryRun=All'), resized('b', { cpu: '600m', memory: '1Gi' })),
  ),
  ask(
    'a resize gets defaults too',
    withAccount,
    post(pods(), pod('a', { containers: [using('c', { cpu: '1' }, { cpu: '500m' })] }), { as: 'a' }),
    range('l', { type: 'Container', default: { memory: '1Gi' } }),
    put(pods('a/resize'), resized('a', { cpu: '900m' })),
  ),
  ask(
    'a claim is held to what it may ask for',
    range('l', { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } }),
    dryClaim('1Gi'),
    dryClaim('1Mi'),
    dryClaim('3Gi'),
    dryClaim('1500Mi', '5Gi'),
  ),
  ask(
    'a claim that does not say how much of something it asks for is refused',
    range('l', { type: 'PersistentVolumeClaim', max: { storage: '2Gi', cpu: '1' } }),
    dryClaim('1Gi'),
  ),
  ask(
    'a claim is held to limits when it changes, unless it is being deleted',
    post(claims(), claim('1Gi'), { as: 'v' }),
    range('l', { type: 'PersistentVolumeClaim', max: { storage: '500Mi' } }),
    put(claims('v'), relabelled('v')),
    put(claims('v/status'), (kept) => ({ ...kept.v, status: { phase: 'Bound' } })),
    del(claims('v')),
    get(claims('v'), { as: 'w' }),
    put(claims('v'), relabelled('w')),
  ),
  ask(
    'templates of pods are not held to anything',
    limited({ type: 'Container', max: { cpu: '1' } }),
    post(
      '/apis/apps/v1/namespaces/{ns}/replicasets?dryRun=All',
      object('r', {
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: {
            metadata: { labels: { a: 'b' } },
            spec: { containers: [using('c', { cpu: '3' })] },
          },
        },
      }),
    ),
  ),
]);
