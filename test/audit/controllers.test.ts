import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AuditEvent, runAudited } from '../support/audit.ts';
import { until, untilDeleted } from '../support/controllers.ts';

const policy = `
omitStages: [RequestReceived]
rules:
- level: RequestResponse
  userGroups: [system:serviceaccounts:orch-system]
  resources:
  - group: ""
    resources: [serviceaccounts, configmaps, namespaces/status, namespaces/finalize]
- level: None
`;

test('writes of controllers are audited as requests of their service accounts', async () => {
  const { events } = await runAudited(policy, async (client) => {
    await client.post('/api/v1/namespaces', { metadata: { name: 'short' } });
    const path = '/api/v1/namespaces/short/configmaps';
    await until(
      () => client.get('/api/v1/namespaces/short/serviceaccounts/default'),
      ({ code }) => code === 200,
    );
    const { uid } = (await client.post(path, { metadata: { name: 'owner' } })).body.metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    await client.post(path, { metadata: { name: 'dependent', ownerReferences } });
    await client.delete(`${path}/owner`);
    await untilDeleted(client, `${path}/dependent`);
    await client.delete('/api/v1/namespaces/short');
    await untilDeleted(client, '/api/v1/namespaces/short');
  });
  const find = (account: string, verb: string, uri: string): AuditEvent => {
    const username = `system:serviceaccount:orch-system:${account}`;
    const found = events.filter(
      (event) => event.user.username === username && event.verb === verb && event.requestURI === uri,
    );
    assert.ok(found.length > 0, `${account} ${verb} ${uri} in ${JSON.stringify(events, null, 1)}`);
    return found[0]!;
  };
  const made = find('service-account-controller', 'create', '/api/v1/namespaces/short/serviceaccounts');
  assert.deepEqual(
    [made.stage, made.userAgent, made.responseStatus?.code, made.objectRef],
    [
      'ResponseComplete',
      'orch-controller-manager/system:serviceaccount:orch-system:service-account-controller',
      201,
      { resource: 'serviceaccounts', namespace: 'short', name: 'default', apiVersion: 'v1' },
    ],
  );
  assert.equal(made.requestObject?.metadata.name, 'default');
  assert.equal(made.responseObject?.kind, 'ServiceAccount');
  assert.equal(made.annotations?.['authorization.orch.io/decision'], 'allow');

  const collected = find(
    'generic-garbage-collector',
    'delete',
    '/api/v1/namespaces/short/configmaps/dependent',
  );
  assert.equal(collected.responseStatus?.code, 200);
  const emptied = find('namespace-controller', 'deletecollection', '/api/v1/namespaces/short/configmaps');
  assert.equal(emptied.objectRef?.namespace, 'short');
  for (const part of ['status', 'finalize']) {
    const { objectRef } = find('namespace-controller', 'update', `/api/v1/namespaces/short/${part}`);
    assert.deepEqual([objectRef?.resource, objectRef?.subresource], ['namespaces', part]);
  }
});
