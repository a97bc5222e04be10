import { ask, del, get, type JsonObject, post, put, subject, watch } from '../case.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { object } from './objects.ts';
import {
  badSelectors,
  doubtfulTemplate,
  labels,
  replicasets,
  selector,
  template,
  workload,
} from './workloads.ts';

const tried = (spec: JsonObject) => post(replicasets('?dryRun=All'), workload(spec));
const condition = { type: 'ReplicaFailure', status: 'True', lastTransitionTime: '2024-01-02T03:04:05Z' };

export const replicaSetRules = subject('replicasets', [
  ...lifecycle(replicasets, workload(), {
    full: workload({ replicas: 3, minReadySeconds: 5 }, 'full', { labels }),
    change: { spec: { replicas: 5 } },
    status: {
      observedGeneration: 1,
      replicas: 4,
      fullyLabeledReplicas: 3,
      readyReplicas: 2,
      availableReplicas: 1,
      terminatingReplicas: 1,
      conditions: [condition],
    },
  }),
  ask(
    'what is not said is filled in',
    tried({}),
    tried({ replicas: 0 }),
    post(replicasets('?dryRun=All'), workload({}, 'a', { generation: 7 })),
  ),
  ask(
    'what is refused',
    post(replicasets('?dryRun=All'), object('a')),
    post(replicasets('?dryRun=All'), object('UPPER', { spec: { replicas: -1 } })),
    tried({ replicas: -1 }),
    tried({ minReadySeconds: -1 }),
    tried({ template: template({ restartPolicy: 'Never' }) }),
    tried({ template: template({ activeDeadlineSeconds: 5 }) }),
    tried({ template: template({}, {}) }),
    tried({ template: template({ containers: [] }) }),
    tried({ template: null }),
    tried({ selector: null }),
    badSelectors.map((bad) => tried({ selector: bad })),
  ),
  ask(
    'all that is wrong at once, in order',
    post(
      replicasets('?dryRun=All'),
      workload(
        {
          replicas: -1,
          minReadySeconds: -1,
          selector: { matchLabels: { a: 'b' } },
          template: template({ restartPolicy: 'Nope', activeDeadlineSeconds: -1, containers: [{}] }),
        },
        'Upper.Case',
        { labels: { 'x y': '' }, finalizers: ['bare'] },
      ),
    ),
  ),
  ask(
    'warnings',
    post(replicasets('?dryRun=All'), workload({}, 'a.b')),
    tried({ template: doubtfulTemplate }),
    post(replicasets(), workload()),
    put(replicasets('a'), workload({ template: doubtfulTemplate })),
    put(replicasets('a'), workload({ template: doubtfulTemplate, minReadySeconds: 3 })),
  ),
  ask(
    'what may change and what may not',
    post(replicasets(), workload(), { as: 'a' }),
    put(replicasets('a'), withChange('a', { spec: { selector: { matchLabels: { app: 'b' } } } })),
    put(replicasets('a'), withChange('a', { spec: { replicas: -1 } })),
    put(replicasets('a'), withChange('a', { spec: { template: template({ dnsPolicy: 'Default' }) } })),
    put(replicasets('a'), workload({}, 'a', { labels: { changed: 'yes' } })),
    put(replicasets('a'), workload({}, 'a', { annotations: { changed: 'yes' } })),
    put(replicasets('a'), workload({}, 'a', { finalizers: ['bare'] })),
  ),
  ask(
    'statuses that are refused',
    post(replicasets(), workload(), { as: 'a' }),
    [
      { replicas: -1, fullyLabeledReplicas: -1, readyReplicas: -1 },
      { availableReplicas: -1, observedGeneration: -1, terminatingReplicas: -1 },
      { replicas: 1, fullyLabeledReplicas: 2 },
      { replicas: 1, readyReplicas: 2 },
      { replicas: 1, availableReplicas: 2 },
      { replicas: 3, readyReplicas: 1, availableReplicas: 2 },
      { conditions: [{ type: 'x', status: 'y' }] },
    ].map((status) =>
      put(replicasets('a/status'), {
        metadata: { name: 'a' },
        spec: { selector, template: template() },
        status: status as JsonObject,
      }),
    ),
  ),
  ask(
    'selected by how many there are',
    post(replicasets(), workload(), { as: 'a' }),
    post(replicasets(), workload({}, 'b'), { as: 'b' }),
    put(replicasets('b/status'), withChange('b', { status: { replicas: 3 } })),
    get(replicasets('?fieldSelector=status.replicas=3')),
    get(replicasets('?fieldSelector=status.replicas=0')),
    get(replicasets('?fieldSelector=status.replicas!=3,metadata.namespace={ns}')),
    get(replicasets('?fieldSelector=status.readyReplicas=3')),
    watch(replicasets('?watch=true&fieldSelector=status.replicas=3&resourceVersion={a.rv}'), { events: 1 }),
    del(replicasets('?fieldSelector=status.replicas=3')),
    get(replicasets()),
  ),
]);
