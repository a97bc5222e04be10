import { ask, type JsonObject, post, put, subject } from '../case.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { object } from './objects.ts';
import {
  badSelectors,
  daemonsets,
  doubtfulTemplate,
  labels,
  selector,
  template,
  workload,
} from './workloads.ts';

const tried = (spec: JsonObject) => post(daemonsets('?dryRun=All'), workload(spec));
const rolling = (rollingUpdate: JsonObject) =>
  tried({ updateStrategy: { type: 'RollingUpdate', rollingUpdate } });
const counts = { currentNumberScheduled: 1, numberMisscheduled: 2, desiredNumberScheduled: 3 };

export const daemonSetRules = subject('daemonsets', [
  ...lifecycle(daemonsets, workload(), {
    full: workload(
      {
        minReadySeconds: 5,
        revisionHistoryLimit: 3,
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '20%' } },
      },
      'full',
      { labels },
    ),
    change: { spec: { minReadySeconds: 7 } },
    status: {
      ...counts,
      numberReady: 4,
      observedGeneration: 1,
      updatedNumberScheduled: 5,
      numberAvailable: 6,
      numberUnavailable: 7,
      collisionCount: 8,
      conditions: [{ type: 'X', status: 'True', lastTransitionTime: '2024-01-02T03:04:05Z' }],
    },
  }),
  ask(
    'what is not said is filled in',
    tried({}),
    tried({ updateStrategy: {} }),
    tried({ updateStrategy: { type: 'OnDelete' } }),
    tried({ updateStrategy: { type: 'OnDelete', rollingUpdate: {} } }),
    rolling({}),
    rolling({ maxSurge: 1 }),
    rolling({ maxSurge: 1, maxUnavailable: 0 }),
    tried({ revisionHistoryLimit: 0 }),
    post(daemonsets('?dryRun=All'), workload({}, 'a', { generation: 7, annotations: { x: 'y' } })),
    post(
      daemonsets('?dryRun=All'),
      workload({}, 'a', { annotations: { 'deprecated.daemonset.template.generation': '5' } }),
    ),
  ),
  ask(
    'what is refused',
    post(daemonsets('?dryRun=All'), object('a')),
    post(daemonsets('?dryRun=All'), object('UPPER', { spec: { minReadySeconds: -1 } })),
    tried({ minReadySeconds: -1 }),
    tried({ revisionHistoryLimit: -1 }),
    tried({ updateStrategy: { type: 'Nope' } }),
    rolling({ maxUnavailable: 0 }),
    rolling({ maxUnavailable: '0%' }),
    rolling({ maxUnavailable: -1 }),
    rolling({ maxUnavailable: '101%' }),
    rolling({ maxUnavailable: 'x' }),
    rolling({ maxSurge: -1 }),
    rolling({ maxSurge: 'x', maxUnavailable: 0 }),
    rolling({ maxSurge: 1, maxUnavailable: 1 }),
    rolling({ maxSurge: '101%', maxUnavailable: 0 }),
    tried({ template: template({ restartPolicy: 'Never' }) }),
    tried({ template: template({ activeDeadlineSeconds: 5 }) }),
    tried({ template: template({}, {}) }),
    tried({ template: template({ containers: [] }) }),
    tried({ selector: null }),
    badSelectors.map((bad) => tried({ selector: bad })),
  ),
  ask(
    'all that is wrong at once, in order',
    post(
      daemonsets('?dryRun=All'),
      workload(
        {
          updateStrategy: {
            type: 'RollingUpdate',
            rollingUpdate: { maxSurge: 'x', maxUnavailable: '200%' },
          },
          minReadySeconds: -1,
          revisionHistoryLimit: -1,
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
    post(daemonsets('?dryRun=All'), workload({}, 'a.b')),
    tried({ template: doubtfulTemplate }),
    post(daemonsets(), workload()),
    put(daemonsets('a'), workload({ template: doubtfulTemplate })),
    put(daemonsets('a'), workload({ template: doubtfulTemplate, minReadySeconds: 3 })),
  ),
  ask(
    'what may change and what may not',
    post(daemonsets(), workload(), { as: 'a' }),
    put(daemonsets('a'), withChange('a', { spec: { selector: { matchLabels: { app: 'b' } } } })),
    put(
      daemonsets('a'),
      withChange('a', {
        spec: { selector: { matchLabels: { app: 'b' } }, template: template({}, { labels: { app: 'b' } }) },
      }),
    ),
    put(daemonsets('a'), withChange('a', { spec: { template: template({ dnsPolicy: 'Default' }) } })),
    put(daemonsets('a'), workload({ updateStrategy: { type: 'OnDelete' } })),
    put(
      daemonsets('a'),
      workload({}, 'a', { annotations: { 'deprecated.daemonset.template.generation': '9' } }),
    ),
    put(
      daemonsets('a'),
      workload({}, 'a', { annotations: { 'deprecated.daemonset.template.generation': 'x' } }),
    ),
    put(daemonsets('a'), workload({}, 'a', { labels: { changed: 'yes' } })),
    put(daemonsets('a'), workload({}, 'a', { finalizers: ['bare'] })),
  ),
  ask(
    'statuses that are refused',
    post(daemonsets(), workload(), { as: 'a' }),
    [
      { currentNumberScheduled: -1, numberMisscheduled: -1, desiredNumberScheduled: -1, numberReady: -1 },
      { updatedNumberScheduled: -1, numberAvailable: -1, numberUnavailable: -1, observedGeneration: -1 },
      { collisionCount: -1 },
      { ...counts, collisionCount: 2 },
      { ...counts, collisionCount: 1 },
      { conditions: [{ type: 'x', status: 'y' }] },
    ].map((status) =>
      put(daemonsets('a/status'), {
        metadata: { name: 'a' },
        spec: { selector, template: template() },
        status: status as JsonObject,
      }),
    ),
  ),
]);
