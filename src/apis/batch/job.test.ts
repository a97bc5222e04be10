import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everything, labels, selector, template } from '../apps/workload.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { jobs } from './job-definition.ts';

const definition = jobs(everything);
const uid = '12345678-0000-0000-0000-000000000000';
const ending = (spec: object = {}, metadata?: object) =>
  template({ restartPolicy: 'Never', ...spec }, metadata);
const job = (spec: object = {}, metadata: object = {}) => ({
  metadata: { name: 'n', uid, ...metadata },
  spec: { template: ending(), ...spec },
});
const problems = (spec: object) => tryCreate(definition, job(spec)).problems;
const indexed = { completionMode: 'Indexed', completions: 5 };
const made = {
  'batch.orch.io/controller-uid': uid,
  'batch.orch.io/job-name': 'n',
  'controller-uid': uid,
  'job-name': 'n',
};

test('a job is one pod that may fail six times, when nothing is said', () => {
  const { object, problems: none } = tryCreate(definition, job());
  assert.deepEqual(none, []);
  const { template: _, selector: __, ...spec } = object.spec;
  assert.deepEqual(spec, {
    parallelism: 1,
    completions: 1,
    backoffLimit: 6,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: 'TerminatingOrFailed',
    manualSelector: false,
  });
});

test('with parallelism alone any number of completions will do', () => {
  const { spec } = tryCreate(definition, job({ parallelism: 3 })).object;
  assert.equal(spec.completions, undefined);
});

test('with a limit for each index there is none for the job, and with a policy only failed pods are replaced', () => {
  const { spec } = tryCreate(
    definition,
    job({ ...indexed, backoffLimitPerIndex: 1, podFailurePolicy: { rules: [] } }),
  ).object;
  assert.equal(spec.backoffLimit, 2 ** 31 - 1);
  assert.equal(spec.podReplacementPolicy, 'Failed');
});

test('the server labels the pods of a job and selects them', () => {
  const { object } = tryCreate(definition, job());
  assert.deepEqual({ ...object.spec.template.metadata.labels }, { ...labels, ...made });
  assert.deepEqual({ ...object.spec.selector?.matchLabels }, { 'batch.orch.io/controller-uid': uid });
});

test('a job without labels of its own has those of its pods', () => {
  const { object } = tryCreate(definition, job());
  assert.deepEqual({ ...object.metadata.labels }, { ...labels, ...made });
  const own = tryCreate(definition, job({}, { labels: { own: 'x' } })).object;
  assert.deepEqual({ ...own.metadata.labels }, { own: 'x' });
});

test('labels that the server sets must not be others, nor may its selector', () => {
  const invalidTemplate = ending({}, { labels: { 'job-name': 'other' } });
  assert.match(
    problems({ template: invalidTemplate })[0]!,
    /^spec\.template\.metadata\.labels\[job-name\]: .*must be 'n'$/,
  );
  assert.match(problems({ selector })[0]!, /^spec\.selector: .*`selector` not auto-generated$/);
});

test('a selector of the client is taken as it is, and must select the pods', () => {
  const { object, problems: none } = tryCreate(definition, job({ manualSelector: true, selector }));
  assert.deepEqual(none, []);
  assert.deepEqual({ ...object.spec.template.metadata.labels }, labels);
  assert.deepEqual(problems({ manualSelector: true }), [
    'spec.selector: Required value',
    'spec.template.metadata.labels: Invalid value: map[string]string{"app":"web"}: `selector` does not match template `labels`',
  ]);
});

test('pods of a job end', () => {
  for (const restartPolicy of ['Always', null]) {
    assert.deepEqual(problems({ template: ending({ restartPolicy }) }), [
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ]);
  }
});

test('an Indexed job has its completions, and names its pods after them', () => {
  assert.deepEqual(tryCreate(definition, job({ ...indexed }, { name: 'x'.repeat(62) })).problems, [
    `metadata.name: Invalid value: "${'x'.repeat(62)}": will not able to create pod with invalid DNS label: ${'x'.repeat(62)}-4`,
  ]);
  assert.deepEqual(problems({ ...indexed, completions: null, parallelism: 1 }), [
    'spec.completions: Required value: when completion mode is Indexed',
  ]);
  assert.deepEqual(problems({ backoffLimitPerIndex: 1 }), [
    'spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode',
  ]);
  assert.deepEqual(problems({ ...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 6 }), [
    'spec.maxFailedIndexes: Invalid value: 6: must be less than or equal to completions',
  ]);
});

test('a policy for pods that fail looks at exit codes or at conditions', () => {
  const rule = (of: object) => problems({ podFailurePolicy: { rules: [{ action: 'FailJob', ...of }] } });
  assert.deepEqual(rule({ onExitCodes: { operator: 'In', values: [1, 2] } }), []);
  assert.deepEqual(rule({ onPodConditions: [{ type: 'DisruptionTarget' }] }), []);
  assert.deepEqual(rule({}), [
    'spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required',
  ]);
  assert.deepEqual(rule({ onExitCodes: { operator: 'In', values: [0, 2, 2, 1], containerName: 'z' } }), [
    'spec.podFailurePolicy.rules[0].onExitCodes.containerName: Invalid value: "z": must be one of the container or initContainer names in the pod template',
    'spec.podFailurePolicy.rules[0].onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator',
    'spec.podFailurePolicy.rules[0].onExitCodes.values[2]: Duplicate value: 2',
    'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: []int32{0, 2, 2, 1}: must be ordered',
  ]);
});

test('a policy for success names indexes of the job, or how many', () => {
  const rule = (of: object) => problems({ ...indexed, successPolicy: { rules: [of] } });
  assert.deepEqual(rule({ succeededIndexes: '0,2-4', succeededCount: 2 }), []);
  assert.deepEqual(rule({ succeededIndexes: '0-1', succeededCount: 3 }), [
    'spec.successPolicy.rules[0].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)',
  ]);
  assert.deepEqual(rule({ succeededIndexes: '9' }), [
    'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "9": error parsing succeededIndexes: too large index: "9"',
  ]);
});

/** Fields with errors after an update of a stored job. */
function change(of: object, to: (spec: ReturnType<typeof created>['spec']) => object): string[] {
  const { spec } = created(of);
  const again = { ...spec, ...to(spec) };
  const { problems: found } = tryUpdate(definition, job(of), job(again));
  return [...new Set(found.map((problem) => `${problem.split(':')[0]}: ${problem.split(': ').at(-1)}`))];
}
const created = (of: object) => JSON.parse(JSON.stringify(tryCreate(definition, job(of)).object));

test('what a job is stays while it runs', () => {
  const immutable = (name: string) => [`spec.${name}: field is immutable`];
  assert.deepEqual(
    change({}, () => ({ completions: 2 })),
    immutable('completions'),
  );
  assert.deepEqual(
    change({}, () => ({ completionMode: 'Indexed' })),
    immutable('completionMode'),
  );
  assert.deepEqual(
    change({}, () => ({ managedBy: 'example.com/x' })),
    immutable('managedBy'),
  );
  assert.deepEqual(
    change({}, ({ template: { metadata, spec } }) => ({
      template: { metadata, spec: { ...spec, nodeSelector: { a: 'b' } } },
    })),
    immutable('template'),
  );
});

test('how a job is run may change', () => {
  const to = {
    parallelism: 3,
    suspend: true,
    backoffLimit: 1,
    activeDeadlineSeconds: 5,
    manualSelector: false,
  };
  assert.deepEqual(
    change({}, () => to),
    [],
  );
});

test('where its pods run may change while a job is suspended and has not begun', () => {
  const to = {
    nodeSelector: { a: 'b' },
    tolerations: [{ key: 'a', operator: 'Exists' }],
    schedulingGates: [{ name: 'example.com/x' }],
    affinity: { nodeAffinity: {} },
  };
  const placed = ({ template: { metadata, spec } }: ReturnType<typeof created>['spec']) => ({
    template: {
      metadata: { ...metadata, annotations: { a: 'b' } },
      spec: { ...spec, ...to },
    },
  });
  assert.deepEqual(change({ suspend: true }, placed), []);
  assert.deepEqual(
    change({ suspend: true }, ({ template: { metadata, spec } }) => ({
      template: { metadata, spec: { ...spec, dnsPolicy: 'Default' } },
    })),
    ['spec.template: field is immutable'],
  );
});

test('an Indexed job is resized with its parallelism', () => {
  const of = { ...indexed, parallelism: 5 };
  assert.deepEqual(
    change(of, () => ({ completions: 4, parallelism: 4 })),
    [],
  );
  assert.deepEqual(
    change(of, () => ({ completions: 4 })),
    ['spec.completions: can only be modified in tandem with spec.parallelism'],
  );
});

test('jobs are selected by how many pods succeeded, and leave their pods behind', () => {
  const { object } = tryCreate(definition, job());
  assert.deepEqual(definition.selectableFields!(object), { 'status.successful': '0' });
  assert.ok(definition.strategy.orphansByDefault);
  assert.match(definition.strategy.warningOnDelete!, /^child pods are preserved by default/);
});

test('a large Indexed job is warned of', () => {
  const { warnings } = tryCreate(definition, job({ ...indexed, completions: 100_001, parallelism: 10_001 }));
  assert.match(warnings[0]!, /^spec: In Indexed Jobs .* Orch might not be able to track completedIndexes/);
});

test('a job that gets another name and uid gets labels with these', () => {
  const { object } = tryCreate(definition, job({ template: ending({}, { labels: { 'job-name': 'own' } }) }));
  object.metadata.name = 'other';
  object.metadata.uid = 'another';
  definition.strategy.prepareForCreate!(object, '2030-01-02T03:04:05Z');
  const { labels: found } = object.spec.template.metadata;
  assert.equal(found?.['batch.orch.io/job-name'], 'other');
  assert.equal(found?.['controller-uid'], 'another');
  assert.equal(found?.['job-name'], 'own');
  assert.deepEqual({ ...object.spec.selector?.matchLabels }, { 'batch.orch.io/controller-uid': 'another' });
});
