import { ask, get, type JsonObject, post, put, subject } from '../case.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { object } from './objects.ts';
import { controllers, doubtfulTemplate, labels, template } from './workloads.ts';

const controller = (spec: JsonObject = {}, name = 'a', metadata: JsonObject = {}) =>
  object(name, { spec: { selector: labels, template: template(), ...spec } }, metadata);
const tried = (spec: JsonObject) => post(controllers('?dryRun=All'), controller(spec));

export const replicationControllerRules = subject('replicationcontrollers', [
  ...lifecycle(controllers, controller(), {
    full: controller({ replicas: 3, minReadySeconds: 5 }, 'full', { labels }),
    change: { spec: { replicas: 5 } },
    status: {
      observedGeneration: 1,
      replicas: 4,
      fullyLabeledReplicas: 3,
      readyReplicas: 2,
      availableReplicas: 1,
      conditions: [{ type: 'ReplicaFailure', status: 'True', lastTransitionTime: '2024-01-02T03:04:05Z' }],
    },
  }),
  ask(
    'what is not said is filled in',
    tried({}),
    tried({ selector: null }),
    tried({ selector: {} }),
    tried({ replicas: 0 }),
    post(controllers('?dryRun=All'), object('a', { spec: { template: template() } })),
    post(
      controllers('?dryRun=All'),
      object('a', { spec: { template: template() } }, { labels: { own: 'x' } }),
    ),
  ),
  ask(
    'what is refused',
    post(controllers('?dryRun=All'), object('a')),
    post(controllers('?dryRun=All'), object('UPPER', { spec: { replicas: -1 } })),
    tried({ replicas: -1 }),
    tried({ minReadySeconds: -1 }),
    tried({ template: null }),
    tried({ template: {} }),
    tried({ selector: { other: 'x' } }),
    tried({ selector: { 'b b': 'x' } }),
    tried({ selector: null, template: template({}, {}) }),
    tried({ template: template({ restartPolicy: 'Never' }) }),
    tried({ template: template({ activeDeadlineSeconds: 5 }) }),
    tried({ template: template({ containers: [] }) }),
  ),
  ask(
    'all that is wrong at once, in order',
    post(
      controllers('?dryRun=All'),
      controller(
        {
          replicas: -1,
          minReadySeconds: -1,
          selector: { a: 'b' },
          template: template({ restartPolicy: 'Nope', activeDeadlineSeconds: -1, containers: [{}] }),
        },
        'Upper.Case',
        { labels: { 'x y': '' }, finalizers: ['bare'] },
      ),
    ),
  ),
  ask(
    'warnings',
    post(controllers('?dryRun=All'), controller({}, 'a.b')),
    tried({ template: doubtfulTemplate }),
    post(controllers(), controller()),
    put(controllers('a'), controller({ template: doubtfulTemplate })),
  ),
  ask(
    'what may change and what may not',
    post(controllers(), controller(), { as: 'a' }),
    put(controllers('a'), withChange('a', { spec: { selector: { app: 'b' } } })),
    put(
      controllers('a'),
      controller({ selector: { app: 'b' }, template: template({}, { labels: { app: 'b' } }) }),
    ),
    put(controllers('a'), controller({ replicas: -1 })),
    put(controllers('a'), controller({}, 'a', { labels: { changed: 'yes' } })),
    put(controllers('a'), controller({}, 'a', { finalizers: ['bare'] })),
  ),
  ask(
    'statuses that are refused',
    post(controllers(), controller(), { as: 'a' }),
    [
      { replicas: -1, fullyLabeledReplicas: -1, readyReplicas: -1 },
      { availableReplicas: -1, observedGeneration: -1 },
      { replicas: 1, fullyLabeledReplicas: 2 },
      { replicas: 1, readyReplicas: 2 },
      { replicas: 1, availableReplicas: 2 },
      { replicas: 3, readyReplicas: 1, availableReplicas: 2 },
    ].map((status) => put(controllers('a/status'), { ...controller(), status: status as JsonObject })),
  ),
  ask(
    'selected by how many there are',
    post(controllers(), controller()),
    get(controllers('?fieldSelector=status.replicas=0')),
    get(controllers('?fieldSelector=status.replicas=1')),
    get(controllers('?fieldSelector=spec.replicas=1')),
  ),
]);
