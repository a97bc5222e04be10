import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runAudited } from '../support/audit.ts';

const group = '/apis/admissionregistration.orch.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';

test('the audit event has validation failures and auditAnnotations of policies', async () => {
  const log = await runAudited('rules: [{level: Metadata}]', async (client) => {
    const rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] };
    await client.as('admin', 'policy', 'POST', `${group}/validatingadmissionpolicies`, {
      metadata: { name: 'p' },
      spec: {
        matchConstraints: { resourceRules: [rule] },
        validations: [
          { expression: "object.metadata.name != 'a'", message: 'not <a>' },
          { expression: 'false', message: 'never said first' },
        ],
        auditAnnotations: [
          { key: 'name', valueExpression: "' ' + object.metadata.name" },
          { key: 'nothing', valueExpression: 'null' },
        ],
      },
    });
    for (const name of ['one', 'two']) {
      await client.as('admin', name, 'POST', `${group}/validatingadmissionpolicybindings`, {
        metadata: { name },
        spec: { policyName: 'p', validationActions: ['Audit'] },
      });
    }
    const made = await client.as('admin', 'write', 'POST', configMaps, { metadata: { name: 'a' } });
    assert.equal(made.code, 201);
  });
  const { annotations = {} } = log.of('write').at(-1)!;
  // Of several values for one key the first one is recorded; equal annotations of both bindings are recorded once.
  assert.equal(
    annotations['validation.policy.admission.orch.io/validation_failure'],
    '[{"message":"not \\u003ca\\u003e","policy":"p","binding":"one","expressionIndex":0,"validationActions":["Audit"]}]',
  );
  assert.equal(annotations['p/name'], 'a');
  assert.equal('p/nothing' in annotations, false);
});
