import { ask, type JsonObject, post, put, subject } from '../case.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { object } from './objects.ts';
import {
  badSelectors,
  doubtfulTemplate,
  labels,
  selector,
  statefulsets,
  template,
  workload,
} from './workloads.ts';

const tried = (spec: JsonObject) => post(statefulsets('?dryRun=All'), workload(spec));
const rolling = (rollingUpdate: JsonObject) =>
  tried({ updateStrategy: { type: 'RollingUpdate', rollingUpdate } });
const claim = (name: string, spec: JsonObject = {}) => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const retention = (whenDeleted: string, whenScaled: string) => ({
  persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled },
});

export const statefulSetRules = subject(
  'statefulsets',
  [
    ...lifecycle(statefulsets, workload(), {
      full: workload(
        {
          replicas: 3,
          serviceName: 'svc',
          minReadySeconds: 5,
          revisionHistoryLimit: 3,
          podManagementPolicy: 'Parallel',
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1, maxUnavailable: 2 } },
          ordinals: { start: 4 },
          ...retention('Delete', 'Retain'),
          volumeClaimTemplates: [claim('data')],
        },
        'full',
        { labels },
      ),
      change: { spec: { replicas: 5 } },
      status: {
        observedGeneration: 1,
        replicas: 3,
        readyReplicas: 2,
        currentReplicas: 1,
        updatedReplicas: 2,
        availableReplicas: 1,
        currentRevision: 'a-1',
        updateRevision: 'a-2',
        collisionCount: 1,
        conditions: [{ type: 'X', status: 'True', lastTransitionTime: '2024-01-02T03:04:05Z' }],
      },
    }),
    ask(
      'what is not said is filled in',
      tried({}),
      tried({ replicas: 0, revisionHistoryLimit: 0 }),
      tried({ updateStrategy: {} }),
      tried({ updateStrategy: { type: 'OnDelete' } }),
      tried({ updateStrategy: { type: 'RollingUpdate' } }),
      rolling({}),
      rolling({ partition: 0 }),
      rolling({ partition: 2 }),
      tried({ persistentVolumeClaimRetentionPolicy: {} }),
      tried({ persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } }),
      tried({ volumeClaimTemplates: [claim('data')] }),
      tried({ ordinals: {} }),
      tried({ podManagementPolicy: '' }),
      post(statefulsets('?dryRun=All'), workload({}, 'a', { generation: 7 })),
    ),
    ask(
      'what is refused',
      post(statefulsets('?dryRun=All'), object('a')),
      post(statefulsets('?dryRun=All'), object('UPPER', { spec: { replicas: -1 } })),
      post(statefulsets('?dryRun=All'), workload({}, 'a.b')),
      tried({ replicas: -1 }),
      tried({ minReadySeconds: -1 }),
      tried({ revisionHistoryLimit: -1 }),
      tried({ ordinals: { start: -1 } }),
      tried({
        volumeClaimTemplates: [claim('a', { resources: { requests: { storage: '1500m' } } })],
      }),
      tried({ podManagementPolicy: 'Nope' }),
      tried({ serviceName: 'Bad Name' }),
      tried({ updateStrategy: { type: 'Nope' } }),
      tried({ updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } }),
      rolling({ partition: -1 }),
      rolling({ maxUnavailable: 0 }),
      rolling({ maxUnavailable: -1 }),
      rolling({ maxUnavailable: '0%' }),
      rolling({ maxUnavailable: '101%' }),
      rolling({ maxUnavailable: 'x' }),
      tried(retention('Nope', 'Retain')),
      tried(retention('Retain', 'Nope')),
      tried({ volumeClaimTemplates: [{}] }),
      tried({ volumeClaimTemplates: [claim('a'), claim('a')] }),
      tried({ volumeClaimTemplates: [claim('Bad')] }),
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
        statefulsets('?dryRun=All'),
        workload(
          {
            replicas: -1,
            updateStrategy: {
              type: 'RollingUpdate',
              rollingUpdate: { partition: -1, maxUnavailable: '200%' },
            },
            minReadySeconds: -1,
            podManagementPolicy: 'x',
            serviceName: 'Y',
            ordinals: { start: -1 },
            persistentVolumeClaimRetentionPolicy: { whenDeleted: 'x' },
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
      post(statefulsets('?dryRun=All'), workload({}, 'a.b')),
      tried({ template: doubtfulTemplate }),
      post(statefulsets(), workload()),
      put(statefulsets('a'), workload({ template: doubtfulTemplate })),
      put(statefulsets('a'), workload({ template: doubtfulTemplate, minReadySeconds: 3 })),
    ),
    ask(
      'what may change and what may not',
      post(statefulsets(), workload({ serviceName: 's' }), { as: 'a' }),
      put(statefulsets('a'), withChange('a', { spec: { selector: { matchLabels: { app: 'b' } } } })),
      put(statefulsets('a'), withChange('a', { spec: { serviceName: 't' } })),
      put(statefulsets('a'), withChange('a', { spec: { podManagementPolicy: 'Parallel' } })),
      put(statefulsets('a'), withChange('a', { spec: { volumeClaimTemplates: [claim('data')] } })),
      put(statefulsets('a'), withChange('a', { spec: { replicas: -1, serviceName: 't' } })),
      put(
        statefulsets('a'),
        workload({
          serviceName: 's',
          replicas: 2,
          template: template({ dnsPolicy: 'Default' }),
          updateStrategy: { type: 'OnDelete' },
          minReadySeconds: 4,
          ordinals: { start: 2 },
          revisionHistoryLimit: 5,
          ...retention('Delete', 'Delete'),
        }),
      ),
      put(statefulsets('a'), workload({ serviceName: 's' }, 'a', { labels: { changed: 'yes' } })),
      put(statefulsets('a'), workload({ serviceName: 's' }, 'a', { finalizers: ['bare'] })),
    ),
    ask(
      'statuses that are refused',
      post(statefulsets(), workload(), { as: 'a' }),
      [
        { replicas: -1, readyReplicas: -1, currentReplicas: -1, updatedReplicas: -1 },
        { observedGeneration: -1, collisionCount: -1, availableReplicas: -1 },
        { replicas: 1, readyReplicas: 2 },
        { replicas: 1, currentReplicas: 2 },
        { replicas: 1, updatedReplicas: 2 },
        { replicas: 1, availableReplicas: 2 },
        { replicas: 3, readyReplicas: 1, availableReplicas: 2 },
        { replicas: 3, collisionCount: 2 },
        { replicas: 3, collisionCount: 1 },
        { conditions: [{ type: 'x', status: 'y' }] },
      ].map((status) =>
        put(statefulsets('a/status'), {
          metadata: { name: 'a' },
          spec: { selector, template: template() },
          status: status as JsonObject,
        }),
      ),
    ),
  ],
  { issue: 4 },
);
