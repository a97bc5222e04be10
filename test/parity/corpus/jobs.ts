import { ask, del, get, type JsonObject, post, put, subject } from '../case.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { object } from './objects.ts';
import { badSelectors, endingTemplate, jobs, labels, selector } from './workloads.ts';

const job = (spec: JsonObject = {}, name = 'a', metadata: JsonObject = {}) =>
  object(name, { spec: { template: endingTemplate(), ...spec } }, metadata);
const tried = (spec: JsonObject) => post(jobs('?dryRun=All'), job(spec));
const manual = { manualSelector: true, selector };
const indexed = { completionMode: 'Indexed', completions: 5 };
const failurePolicy = (...rules: JsonObject[]) => tried({ podFailurePolicy: { rules } });
const successPolicy = (...rules: JsonObject[]) => tried({ ...indexed, successPolicy: { rules } });
const condition = (type: string, status = 'True') => ({
  type,
  status,
  lastProbeTime: '2024-01-02T03:04:05Z',
  lastTransitionTime: '2024-01-02T03:04:05Z',
  reason: 'Because',
  message: 'it is',
});
const start = '2024-01-02T03:04:05Z';
const end = '2024-01-02T03:05:05Z';

/** The status of the job kept as `a` written again and again, each time over what the last left. */
const statuses = (spec: JsonObject, ...written: JsonObject[]) => [
  post(jobs(), job(spec), { as: 'a' }),
  ...written.map((status) =>
    put(jobs('a/status'), (kept) => {
      const { resourceVersion: _, ...metadata } = (kept.a?.metadata ?? {}) as JsonObject;
      return { ...kept.a, metadata, status };
    }),
  ),
];

/** Updates of the job kept as `a` that set single fields of its spec. */
const updates = (...changes: JsonObject[]) =>
  changes.map((change) => put(jobs('a?dryRun=All'), withChange('a', { spec: change })));

export const jobRules = subject('jobs', [
  ...lifecycle(jobs, job(), {
    full: job(
      {
        ...indexed,
        parallelism: 2,
        activeDeadlineSeconds: 100,
        backoffLimit: 3,
        backoffLimitPerIndex: 1,
        maxFailedIndexes: 2,
        ttlSecondsAfterFinished: 60,
        suspend: true,
        podReplacementPolicy: 'Failed',
        managedBy: 'example.com/mine',
        podFailurePolicy: {
          rules: [
            { action: 'FailJob', onExitCodes: { containerName: 'c', operator: 'In', values: [1, 2] } },
            { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
          ],
        },
        successPolicy: { rules: [{ succeededIndexes: '0-2', succeededCount: 2 }] },
      },
      'full',
      { labels },
    ),
    change: { spec: { parallelism: 5, suspend: true } },
    status: { startTime: start, active: 1, ready: 1, terminating: 0 },
  }),
  ask(
    'what is not said is filled in',
    tried({}),
    tried({ completions: 3 }),
    tried({ parallelism: 3 }),
    tried({ parallelism: 0, backoffLimit: 0, suspend: true }),
    tried({ backoffLimitPerIndex: 1, ...indexed }),
    tried(manual),
    tried({ manualSelector: false }),
    tried({ podFailurePolicy: { rules: [] } }),
    failurePolicy({ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }),
    failurePolicy({ action: 'Count', onExitCodes: { operator: 'NotIn', values: [0, 1] } }),
    tried({ template: endingTemplate({}, {}) }),
    tried({ template: endingTemplate({}, { labels: { 'job-name': 'a' } }) }),
    post(jobs('?dryRun=All'), job({}, 'a', { labels: { own: 'x' }, generation: 7 })),
    post(jobs('?dryRun=All'), object('a', { spec: { template: endingTemplate({}, {}) } })),
  ),
  ask(
    'what is refused',
    post(jobs('?dryRun=All'), object('a')),
    post(jobs('?dryRun=All'), object('UPPER', { spec: { parallelism: -1 } })),
    tried({ parallelism: -1 }),
    tried({ completions: -1 }),
    tried({ activeDeadlineSeconds: -1 }),
    tried({ backoffLimit: -1 }),
    tried({ ttlSecondsAfterFinished: -1 }),
    tried({ completionMode: 'Nope' }),
    tried({ completionMode: 'Indexed' }),
    tried({ completionMode: 'Indexed', completions: 5, parallelism: 100001 }),
    tried({ backoffLimitPerIndex: 1 }),
    tried({ ...indexed, backoffLimitPerIndex: -1 }),
    tried({ ...indexed, maxFailedIndexes: 1 }),
    tried({ ...indexed, maxFailedIndexes: 6, backoffLimitPerIndex: 1 }),
    tried({ ...indexed, maxFailedIndexes: -1, backoffLimitPerIndex: 1 }),
    tried({ ...indexed, completions: 100001, backoffLimitPerIndex: 1 }),
    tried({ ...indexed, completions: 100001, backoffLimitPerIndex: 1, maxFailedIndexes: 10001 }),
    tried({
      ...indexed,
      completions: 100001,
      parallelism: 10001,
      backoffLimitPerIndex: 1,
      maxFailedIndexes: 5,
    }),
    tried({ podReplacementPolicy: 'Nope' }),
    tried({ podReplacementPolicy: 'TerminatingOrFailed', podFailurePolicy: { rules: [] } }),
    tried({ managedBy: 'bare' }),
    tried({ managedBy: `example.com/${'x'.repeat(60)}` }),
    tried({ manualSelector: true }),
    tried({ selector }),
    tried({ manualSelector: true, selector: { matchLabels: { other: 'x' } } }),
    badSelectors.map((bad) => tried({ manualSelector: true, selector: bad })),
    tried({ template: endingTemplate({ restartPolicy: 'Always' }) }),
    tried({ template: endingTemplate({ restartPolicy: null }) }),
    tried({ template: endingTemplate({ restartPolicy: 'Nope' }) }),
    tried({ template: endingTemplate({ containers: [] }) }),
    tried({ template: endingTemplate({ activeDeadlineSeconds: 0 }) }),
    tried({ template: endingTemplate({}, { labels: { 'controller-uid': 'x' } }) }),
    tried({ template: endingTemplate({}, { labels: { 'job-name': 'x' } }) }),
    tried({ template: endingTemplate({}, { labels: { 'batch.kubernetes.io/job-name': 'x' } }) }),
    post(jobs('?dryRun=All'), job({ ...indexed }, 'x'.repeat(62))),
    post(jobs('?dryRun=All'), job({}, 'x'.repeat(64))),
    post(jobs('?dryRun=All'), job({}, 'a.b')),
  ),
  ask(
    'who manages it',
    ['', '/', 'a/', '/b', 'a/b/c', 'A.b/c', 'a/b c', 'a/ü', 'kubernetes.io/job-controller'].map((managedBy) =>
      tried({ managedBy }),
    ),
  ),
  ask(
    'all that is wrong at once, in order',
    post(
      jobs('?dryRun=All'),
      job(
        {
          parallelism: -1,
          completions: -1,
          activeDeadlineSeconds: -1,
          backoffLimit: -1,
          ttlSecondsAfterFinished: -1,
          backoffLimitPerIndex: -1,
          maxFailedIndexes: -1,
          managedBy: 'x',
          completionMode: 'Nope',
          podReplacementPolicy: 'Nope',
          podFailurePolicy: { rules: [{ action: 'x' }] },
          successPolicy: { rules: [{}] },
          selector: { matchLabels: { a: 'b' } },
          template: endingTemplate({ restartPolicy: 'Nope', containers: [{}] }),
        },
        'Upper.Case',
        { labels: { 'x y': '' }, finalizers: ['bare'] },
      ),
    ),
    tried({ backoffLimitPerIndex: 1, maxFailedIndexes: 1 }),
    tried({ ...indexed, maxFailedIndexes: 100002, completions: 200000, backoffLimitPerIndex: 2 }),
    tried({ ...indexed, parallelism: 200000, completions: 200000, backoffLimitPerIndex: 2 }),
  ),
  ask(
    'a generated name is in the labels',
    post(jobs(), { metadata: { generateName: 'gen-' }, spec: { template: endingTemplate() } }),
  ),
  ask(
    'policies for pods that fail',
    failurePolicy({ action: 'Nope', onExitCodes: { operator: 'In', values: [1] } }),
    failurePolicy({ action: 'FailIndex', onExitCodes: { operator: 'In', values: [1] } }),
    failurePolicy({ action: '' }),
    failurePolicy({ action: 'FailJob' }),
    failurePolicy({
      action: 'FailJob',
      onExitCodes: { operator: 'In', values: [1] },
      onPodConditions: [{ type: 'X' }],
    }),
    failurePolicy({ action: 'FailJob', onExitCodes: { operator: 'Nope', values: [1] } }),
    failurePolicy({ action: 'FailJob', onExitCodes: { operator: '', values: [] } }),
    failurePolicy({ action: 'FailJob', onExitCodes: { operator: 'In', values: [0] } }),
    failurePolicy({ action: 'FailJob', onExitCodes: { operator: 'In', values: [2, 1] } }),
    failurePolicy({ action: 'FailJob', onExitCodes: { operator: 'In', values: [1, 1] } }),
    failurePolicy({ action: 'FailJob', onExitCodes: { containerName: 'z', operator: 'In', values: [1] } }),
    failurePolicy({
      action: 'FailJob',
      onExitCodes: { operator: 'In', values: Array.from({ length: 256 }, (_, i) => i + 1) },
    }),
    failurePolicy({ action: 'FailJob', onPodConditions: [{ type: 'x y', status: 'Nope' }] }),
    failurePolicy({ action: 'FailJob', onPodConditions: [{ type: '', status: '' }] }),
    failurePolicy({
      action: 'FailJob',
      onPodConditions: Array.from({ length: 21 }, () => ({ type: 'X', status: 'True' })),
    }),
    failurePolicy(
      ...Array.from({ length: 21 }, () => ({ action: 'FailJob', onPodConditions: [{ type: 'X' }] })),
    ),
    tried({
      template: endingTemplate({ restartPolicy: 'OnFailure' }),
      podFailurePolicy: { rules: [{ action: 'FailJob', onPodConditions: [{ type: 'X' }] }] },
    }),
  ),
  ask(
    'policies for success',
    tried({ successPolicy: { rules: [{ succeededCount: 1 }] } }),
    successPolicy(),
    successPolicy({}),
    successPolicy({ succeededCount: 0 }),
    successPolicy({ succeededCount: -1 }),
    successPolicy({ succeededCount: 6 }),
    successPolicy({ succeededIndexes: '' }),
    successPolicy({ succeededIndexes: '0,2-4' }),
    successPolicy({ succeededIndexes: '0-9' }),
    successPolicy({ succeededIndexes: '4-2' }),
    successPolicy({ succeededIndexes: '2,1' }),
    successPolicy({ succeededIndexes: 'x' }),
    successPolicy({ succeededIndexes: '1-x' }),
    successPolicy({ succeededIndexes: '1-2-3' }),
    successPolicy({ succeededIndexes: '-1' }),
    successPolicy({ succeededIndexes: '0-1', succeededCount: 3 }),
    successPolicy(...Array.from({ length: 21 }, () => ({ succeededCount: 1 }))),
  ),
  ask(
    'what may change while it runs',
    post(jobs(), job(), { as: 'a' }),
    updates(
      { parallelism: 4 },
      { completions: 4 },
      { selector: { matchLabels: { app: 'b' } } },
      { template: endingTemplate({ dnsPolicy: 'Default' }) },
      { completionMode: 'Indexed', completions: 1 },
      { suspend: true },
      { backoffLimit: 9 },
      { backoffLimitPerIndex: 1 },
      { activeDeadlineSeconds: 9 },
      { ttlSecondsAfterFinished: 9 },
      { podFailurePolicy: { rules: [] } },
      { podReplacementPolicy: 'Failed' },
      { managedBy: 'example.com/mine' },
      { manualSelector: true },
      { parallelism: -1 },
    ),
  ),
  ask(
    'what may change while it is suspended',
    post(jobs(), job({ suspend: true }), { as: 'a' }),
    [
      { nodeSelector: { a: 'b' } },
      { tolerations: [{ key: 'a', operator: 'Exists' }] },
      { affinity: { nodeAffinity: {} } },
      { schedulingGates: [{ name: 'example.com/x' }] },
      { dnsPolicy: 'Default' },
    ].map((change) =>
      put(jobs('a?dryRun=All'), (kept) => {
        const old = kept.a as { spec: { template: { spec: JsonObject } } } & JsonObject;
        const changed = { ...old.spec.template, spec: { ...old.spec.template.spec, ...change } };
        return { ...old, spec: { ...old.spec, template: changed } };
      }),
    ),
    [{ labels: { extra: 'x' } }, { annotations: { extra: 'x' } }].map((metadata) =>
      put(jobs('a?dryRun=All'), (kept) => {
        const old = kept.a as { spec: { template: { metadata: { labels: JsonObject } } } } & JsonObject;
        const before = old.spec.template.metadata;
        const after = { ...before, ...metadata, labels: { ...before.labels, ...metadata.labels } };
        return { ...old, spec: { ...old.spec, template: { ...old.spec.template, metadata: after } } };
      }),
    ),
    put(jobs('a'), withChange('a', { spec: { suspend: false } })),
  ),
  ask(
    'indexed jobs may change their completions with their parallelism',
    post(jobs(), job({ ...indexed, parallelism: 5 }), { as: 'a' }),
    updates({ completions: 4 }, { completions: 4, parallelism: 4 }, { completions: 3, parallelism: 4 }),
  ),
  ask(
    'policies stay as they are',
    post(
      jobs(),
      job({ podFailurePolicy: { rules: [{ action: 'Count', onPodConditions: [{ type: 'X' }] }] } }),
      { as: 'a' },
    ),
    updates({ podFailurePolicy: null }, { podFailurePolicy: { rules: [] } }),
  ),
  ask(
    'statuses that are written, and that are refused',
    statuses(
      {},
      { active: -1, succeeded: -1, failed: -1, ready: -1, terminating: -1 },
      { startTime: start, active: 1, ready: 2 },
      { startTime: start, active: 2, ready: 1 },
      { active: 2 },
      { startTime: end, active: 2 },
      { startTime: start, completionTime: end },
      { startTime: end, completionTime: start, conditions: [condition('Complete')] },
      { startTime: start, conditions: [condition('Complete')] },
      { startTime: start, completionTime: end, active: 1, conditions: [condition('Complete')] },
      { startTime: start, completionTime: end, conditions: [condition('Complete')] },
      { startTime: start, conditions: [condition('Failed')] },
      { startTime: start, conditions: [condition('Failed'), condition('FailureTarget')], active: 1 },
      { startTime: start, conditions: [condition('Failed'), condition('FailureTarget')], terminating: 1 },
      { startTime: start, conditions: [condition('FailureTarget'), condition('SuccessCriteriaMet')] },
      { startTime: start, conditions: [condition('Suspended'), condition('Suspended')] },
      { startTime: start, conditions: [condition('X', 'Nope')] },
      { startTime: start, completedIndexes: '0-1' },
      { startTime: start, failedIndexes: '0-1' },
      { startTime: start, uncountedTerminatedPods: { succeeded: ['u', 'u'], failed: ['u', ''] } },
      { startTime: start, uncountedTerminatedPods: { succeeded: ['u'] } },
      { startTime: start, succeeded: 3 },
      { startTime: start, succeeded: 2 },
      { startTime: start, failed: 2 },
      { startTime: start, failed: 1 },
      {
        startTime: start,
        completionTime: end,
        conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
      },
      { startTime: start, conditions: [condition('FailureTarget'), condition('Failed')] },
      {},
    ),
  ),
  ask(
    'statuses of indexed jobs',
    statuses(
      { ...indexed, backoffLimitPerIndex: 1 },
      { startTime: start, completedIndexes: '0-9' },
      { startTime: start, completedIndexes: 'x' },
      { startTime: start, completedIndexes: '2,1' },
      { startTime: start, failedIndexes: '0-9' },
      { startTime: start, completedIndexes: '0-2', failedIndexes: '2,3' },
      { startTime: start, completedIndexes: '0,1', failedIndexes: '2,3', succeeded: 2 },
      { startTime: start, completedIndexes: '0', failedIndexes: '2' },
      { startTime: start, completedIndexes: '0,1', succeeded: 7 },
      {
        startTime: start,
        completedIndexes: '0-4',
        succeeded: 5,
        conditions: [condition('SuccessCriteriaMet')],
      },
    ),
  ),
  ask(
    'the status of a finished job stays',
    statuses(
      {},
      { startTime: start, conditions: [condition('FailureTarget')] },
      { startTime: start, conditions: [condition('FailureTarget'), condition('Failed')] },
      { startTime: start, conditions: [condition('FailureTarget', 'False'), condition('Failed')] },
      { startTime: start, conditions: [condition('FailureTarget'), condition('Failed', 'False')] },
      { startTime: start, conditions: [condition('Failed')] },
      { startTime: end, conditions: [condition('FailureTarget'), condition('Failed')] },
      { startTime: start, conditions: [condition('FailureTarget'), condition('Failed')], terminating: 1 },
      { startTime: start, conditions: [condition('FailureTarget'), condition('Failed')], failed: 4 },
    ),
    put(jobs('a'), (kept) => {
      const { resourceVersion: _, ...metadata } = (kept.a?.metadata ?? {}) as JsonObject;
      return { ...kept.a, metadata, spec: { ...(kept.a?.spec as JsonObject), suspend: true } };
    }),
  ),
  ask(
    'the status of a job that succeeded stays',
    statuses(
      {},
      { startTime: start, conditions: [condition('SuccessCriteriaMet')] },
      {
        startTime: start,
        completionTime: end,
        conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
        uncountedTerminatedPods: { succeeded: ['u'] },
      },
      {
        startTime: start,
        completionTime: end,
        conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
      },
      {
        startTime: start,
        completionTime: '2024-01-02T03:06:05Z',
        conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
      },
      {
        startTime: start,
        completionTime: end,
        conditions: [condition('SuccessCriteriaMet', 'False'), condition('Complete')],
      },
      {
        startTime: start,
        completionTime: end,
        conditions: [condition('SuccessCriteriaMet'), condition('Complete'), condition('Failed')],
      },
      {
        startTime: start,
        completionTime: end,
        conditions: [condition('SuccessCriteriaMet'), condition('Complete'), condition('FailureTarget')],
      },
      {
        startTime: start,
        conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
      },
      { conditions: [condition('SuccessCriteriaMet'), condition('Complete')], completionTime: end },
    ),
  ),
  ask(
    'a job cannot end without having begun',
    statuses(
      {},
      { conditions: [condition('FailureTarget'), condition('Failed')] },
      { conditions: [condition('Failed')], active: 1, terminating: 1, ready: 3 },
      { conditions: [condition('SuccessCriteriaMet'), condition('Complete')] },
      { conditions: [condition('SuccessCriteriaMet'), condition('Failed')], startTime: start },
    ),
  ),
  ask(
    'a job that was held for nothing may end without having begun',
    statuses(
      { suspend: true, completions: 0 },
      { conditions: [condition('SuccessCriteriaMet'), condition('Complete')], completionTime: end },
    ),
  ),
  ask(
    'an indexed job that shrinks may have fewer that succeeded',
    statuses(
      { ...indexed, parallelism: 5 },
      { startTime: start, completedIndexes: '0,1', succeeded: 2 },
      { startTime: start, completedIndexes: '0', succeeded: 1 },
      { startTime: start, completedIndexes: '0', succeeded: 1, failedIndexes: '2' },
    ),
  ),
  ask(
    'the status of a suspended job',
    statuses(
      { suspend: true },
      { startTime: start },
      { startTime: start, active: 1 },
      { conditions: [condition('Suspended')] },
      { startTime: start },
      { startTime: end },
    ),
  ),
  ask(
    'selected by success',
    post(jobs(), job(), { as: 'a' }),
    get(jobs('?fieldSelector=status.successful=0')),
    get(jobs('?fieldSelector=status.successful=1')),
    get(jobs('?fieldSelector=status.active=1')),
  ),
  ask(
    'warnings',
    post(jobs('?dryRun=All'), job({ ...indexed, completions: 100001, parallelism: 10001 })),
    post(jobs('?dryRun=All'), job({}, 'a.b')),
    post(jobs('?dryRun=All'), job({ template: endingTemplate({ hostNetwork: true }) })),
    post(
      jobs('?dryRun=All'),
      job({ template: endingTemplate({ nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }) }),
    ),
    post(jobs(), job({ ...indexed, completions: 100001, parallelism: 10001 }), { as: 'a' }),
    put(jobs('a'), withChange('a', { spec: { suspend: true } })),
    del(jobs()),
    del(jobs('?propagationPolicy=Background')),
    get(jobs()),
  ),
]);
