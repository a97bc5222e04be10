import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { daemonsets } from './daemonset-definition.ts';
import { everything, template, workload } from './workload.fixture.ts';

const definition = daemonsets(everything);
const problems = (spec: object) => tryCreate(definition, workload(spec)).problems;
const rolling = (rollingUpdate: object) => problems({ updateStrategy: { rollingUpdate } });
const counter = 'deprecated.daemonset.template.generation';

test('a DaemonSet replaces its pods one node at a time', () => {
  const { object, problems: none } = tryCreate(definition, workload());
  assert.deepEqual(none, []);
  assert.deepEqual(object.spec.updateStrategy, {
    type: 'RollingUpdate',
    rollingUpdate: { maxUnavailable: 1, maxSurge: 0 },
  });
  assert.equal(object.spec.revisionHistoryLimit, 10);
});

test('either pods are missing for a while or there are two on a node', () => {
  assert.deepEqual(rolling({ maxUnavailable: 0, maxSurge: 1 }), []);
  assert.deepEqual(rolling({ maxUnavailable: 0 }), [
    'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
  ]);
  assert.deepEqual(rolling({ maxUnavailable: 1, maxSurge: 1 }), [
    'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: intstr.IntOrString{Type:0, IntVal:1, StrVal:""}: may not be set when maxUnavailable is non-zero',
  ]);
});

test('the selector selects the template, is not empty, and never changes', () => {
  assert.match(problems({ selector: {} })[0]!, /empty selector is invalid for daemonset$/);
  assert.match(problems({ selector: null })[0]!, /`selector` does not match template `labels`$/);
  const other = workload({
    selector: { matchLabels: { app: 'db' } },
    template: template({}, { labels: { app: 'db' } }),
  });
  assert.match(tryUpdate(definition, workload(), other).problems.join(), /spec\.selector: .*immutable$/);
});

test('the server counts the versions of the template in an annotation', () => {
  const count = ({ metadata }: { metadata: { annotations?: Record<string, string> } }) =>
    metadata.annotations?.[counter];
  assert.equal(count(tryCreate(definition, workload()).object), '1');
  const requested = workload({}, { annotations: { [counter]: '5' } });
  assert.equal(count(tryCreate(definition, requested).object), '5');
  const same = tryUpdate(definition, workload(), workload({ minReadySeconds: 1 }, requested.metadata));
  assert.equal(count(same.object), '1');
  const next = tryUpdate(definition, workload(), workload({ template: template({ dnsPolicy: 'Default' }) }));
  assert.equal(count(next.object), '2');
  assert.equal(count(tryUpdate(definition, workload(), workload(), 'status').object), '1');
});

for (const text of ['x', '', '99999999999999999999']) {
  test(`a count of templates that is ${JSON.stringify(text)} cannot be read`, () => {
    const object = workload({}, { annotations: { [counter]: text } });
    assert.throws(() => tryCreate(definition, object), { code: 400 });
  });
}
