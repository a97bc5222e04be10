// ValidatingAdmissionPolicies and bindings for the benchmark of creates with policies.
import { setTimeout as sleep } from 'node:timers/promises';
import { churnNamespace, configMap, configMapsOf, tickOf } from '../objects.ts';
import type { Side } from '../sides/side.ts';
import { ApiClient } from './api-client.ts';

/** Policies that every new ConfigMap satisfies. */
const count = 20;
const group = '/apis/admissionregistration.k8s.io/v1';
const numbers = Array.from({ length: count }, (_, n) => n);
const nameOf = (n: number) => `bench-policy-${n}`;

/** Expressions on names, labels, lists and maps. Each differs, so that no compiled program is shared. */
const expressions: readonly ((n: number) => string)[] = [
  (n) => `object.metadata.name != 'forbidden-${n}' && !object.metadata.name.startsWith('reserved-${n}')`,
  (n) => `has(object.metadata.labels) && object.metadata.labels['tier'] in ['load', 'tier-${n}']`,
  (n) => `!has(object.data) || object.data.all(key, size(key) <= ${60 + n})`,
  (n) => `request.operation != 'DELETE' && request.userInfo.username != 'nobody-${n}'`,
];

/** Creates the policies without bindings, so that they have no effect yet. */
export function createPolicies(side: Side): Promise<void> {
  return withClient(side, async (client) => {
    for (const n of numbers) {
      const resourceRules = [
        { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] },
      ];
      const validations = [{ expression: expressions[n % expressions.length]!(n) }];
      const body = {
        metadata: { name: nameOf(n) },
        spec: { matchConstraints: { resourceRules }, validations },
      };
      const path = `${group}/validatingadmissionpolicies`;
      await client.expect([201, 409], 'POST', path, JSON.stringify(body));
    }
  });
}

/** Binds the policies during a measurement. */
export async function withPolicyBindings<T>(side: Side, measure: () => Promise<T>): Promise<T> {
  const bindings = `${group}/validatingadmissionpolicybindings`;
  await withClient(side, async (client) => {
    for (const n of numbers) {
      const body = {
        metadata: { name: nameOf(n) },
        spec: { policyName: nameOf(n), validationActions: ['Deny'] },
      };
      await client.expect([201], 'POST', bindings, JSON.stringify(body));
    }
    await waitUntilEnforced(client, 422);
  });
  const result = await measure();
  await withClient(side, async (client) => {
    for (const n of numbers) await client.expect([200], 'DELETE', `${bindings}/${nameOf(n)}`);
    await waitUntilEnforced(client, 201);
  });
  return result;
}

/** Waits until the policies on names are enforced (422) or no longer enforced (201). */
async function waitUntilEnforced(client: ApiClient, status: number): Promise<void> {
  const path = `${configMapsOf(churnNamespace)}?dryRun=All`;
  for (const n of numbers.filter((number) => number % expressions.length === 0)) {
    const body = configMap(0, tickOf(0, 0)).replace(/"name":"[^"]*"/, `"name":"forbidden-${n}"`);
    while ((await client.send('POST', path, body)).status !== status) await sleep(50);
  }
}

async function withClient<T>(side: Side, work: (client: ApiClient) => Promise<T>): Promise<T> {
  const client = new ApiClient(side, 4);
  try {
    return await work(client);
  } finally {
    client.close();
  }
}
