import { ask, del, get, type JsonObject, post, put, remade, type Step, subject } from '../case.ts';
import { object, paths } from './objects.ts';
import { merge } from './patch-bodies.ts';
import { container, pods, serviceaccounts } from './pod-spec-cases.ts';

const classes = paths('/apis/scheduling.k8s.io/v1/priorityclasses');
const account = post(serviceaccounts(), object('default', { automountServiceAccountToken: false }));
const aClass = (name: string, fields: JsonObject = {}): JsonObject => object(name, { value: 10, ...fields });
const aPod = (name: string, spec: JsonObject = {}): JsonObject =>
  object(name, { spec: { containers: [container()], ...spec } });
const make = (name: string, spec: JsonObject = {}): Step => post(pods(), aPod(name, spec));
/** The reference hears of a class a moment later. */
const heard = (step: Step): Step => ({ ...step, after: 1 });

export const priority = [
  subject('admission-priority', [
    ask(
      'what every server has',
      ['system-cluster-critical', 'system-node-critical'].flatMap((name) => [
        get(classes(name)),
        put(classes(name), object(name, { value: 5 })),
        del(classes(name)),
      ]),
      post(classes('?dryRun=All'), object('system-node-critical', { value: 2_000_001_000 })),
      account,
      make('a', { priorityClassName: 'system-cluster-critical' }),
      make('b', { priorityClassName: 'system-node-critical', priority: 2_000_001_000 }),
    ),
    ask(
      'pods of a class',
      account,
      post(classes(), aClass('{name}')),
      post(classes(), aClass('{other}', { value: -5, preemptionPolicy: 'Never' })),
      heard(make('a', { priorityClassName: '{name}' })),
      make('b', { priorityClassName: '{name}', priority: 10 }),
      make('c', { priorityClassName: '{name}', priority: 11 }),
      make('c', { priorityClassName: '{name}', preemptionPolicy: 'Never' }),
      make('d', { priorityClassName: '{other}' }),
      make('e', { priorityClassName: '{other}', preemptionPolicy: 'Never', priority: -5 }),
      make('f', { priorityClassName: '{other}', preemptionPolicy: 'PreemptLowerPriority' }),
      make('f', { priorityClassName: '{other}', preemptionPolicy: 'Nope' }),
      make('g', { priorityClassName: '{name}-nope' }),
      post(pods(), { metadata: { generateName: 'gen-' }, spec: aPod('', { priorityClassName: 'no' }).spec! }),
      post(pods(), { metadata: {}, spec: aPod('', { priorityClassName: 'no' }).spec! }),
      make('h', { priorityClassName: 'Not_good' }),
      post(pods('?dryRun=All'), aPod('i', { priorityClassName: '{other}' })),
    ),
    ask(
      'pods of no class',
      account,
      make('a'),
      make('b', { priority: 0 }),
      make('c', { priority: 5 }),
      make('c', { priority: -1 }),
      make('d', { preemptionPolicy: 'PreemptLowerPriority' }),
      make('e', { preemptionPolicy: 'Never' }),
      make('e', { priorityClassName: '' }),
    ),
    ask(
      'pods that are changed',
      account,
      post(classes(), aClass('{name}', { preemptionPolicy: 'Never' })),
      heard(post(pods(), aPod('a', { priorityClassName: '{name}' }), { as: 'a' })),
      merge(pods('a'), {
        spec: { priority: null, preemptionPolicy: null },
        metadata: { labels: { a: 'b' } },
      }),
      del(classes('{name}')),
      merge(pods('a'), { metadata: { labels: { a: 'c' } } }),
      put(pods('a'), remade('a', { resourceVersion: '' })),
      make('b', { priorityClassName: '{name}' }),
    ),
  ]),
  subject(
    'admission-priority-defaults',
    [
      ask(
        'one class is for all that name none',
        account,
        post(classes(), aClass('{name}', { value: 20, globalDefault: true })),
        heard(post(classes(), aClass('{other}', { globalDefault: true }))),
        post(classes('?dryRun=All'), aClass('{other}', { globalDefault: true })),
        post(classes(), aClass('{other}', { preemptionPolicy: 'Never' })),
        merge(classes('{other}'), { globalDefault: true }),
        merge(classes('{name}'), { description: 'still', globalDefault: true }),
        make('a'),
        make('b', { priority: 0 }),
        make('b', { priority: 20 }),
        make('c', { priorityClassName: '{other}' }),
        merge(classes('{name}'), { globalDefault: false }),
        heard(merge(classes('{other}'), { globalDefault: true })),
        heard(make('d')),
        del(classes('{other}')),
        heard(make('e')),
        del(classes('{name}')),
      ),
    ],
    { alone: true },
  ),
];
