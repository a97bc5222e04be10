import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runAudited } from '../../support/audit.ts';
import { startWebhook, type WebhookInstructions } from '../../support/webhook.ts';

const patch = [{ op: 'add', path: '/data/n', value: '1' }];
const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }];

async function annotationsAt(level: string): Promise<Readonly<Record<string, string>>> {
  const webhook = await startWebhook();
  const { caBundle } = webhook;
  const hook = (name: string, told: WebhookInstructions, more: object = {}) => ({
    name: `${name}.example.com`,
    clientConfig: { url: webhook.url(told), caBundle },
    rules,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...more,
  });
  try {
    const { of } = await runAudited(`rules:\n- level: ${level}`, async (client) => {
      const configure = (kind: string, ...webhooks: object[]) =>
        client.as(
          'admin',
          '',
          'POST',
          `/apis/admissionregistration.orch.io/v1/${kind}webhookconfigurations`,
          {
            metadata: { name: 'c' },
            webhooks,
          },
        );
      const notes = { response: { auditAnnotations: { seen: 'yes', 'no key!': 'x' } } };
      await configure('mutating', hook('changes', { patch }), hook('does-not', {}));
      await configure(
        'validating',
        hook('notes', notes),
        hook('fails', { code: 500 }, { failurePolicy: 'Ignore' }),
      );
      const made = await client.as('admin', 'made', 'POST', '/api/v1/namespaces/default/configmaps', {
        metadata: { name: 'a' },
        data: { k: 'v' },
      });
      assert.equal(made.code, 201, made.text);
    });
    const { annotations = {} } = of('made').at(-1)!;
    return Object.fromEntries(
      Object.entries(annotations).filter(([key]) => !key.startsWith('authorization')),
    );
  } finally {
    await webhook.stop();
  }
}

const noted = {
  'mutation.webhook.admission.orch.io/round_0_index_0':
    '{"configuration":"c","webhook":"changes.example.com","mutated":true}',
  'mutation.webhook.admission.orch.io/round_0_index_1':
    '{"configuration":"c","webhook":"does-not.example.com","mutated":false}',
  'notes.example.com/seen': 'yes',
  'failed-open.validating.webhook.admission.orch.io/round_0_index_1': 'fails.example.com',
};

test('the audit event has mutation annotations and the auditAnnotations of webhooks', async () => {
  assert.deepEqual(await annotationsAt('Metadata'), noted);
});

test('at level Request the audit event has the patches of webhooks', async () => {
  assert.deepEqual(await annotationsAt('Request'), {
    ...noted,
    'patch.webhook.admission.orch.io/round_0_index_0': JSON.stringify({
      configuration: 'c',
      webhook: 'changes.example.com',
      patch,
      patchType: 'JSONPatch',
    }),
  });
});
