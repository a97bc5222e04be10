// Deletes decode as little of an object as they can: clients can store large ones.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { RealServer } from './real-server.ts';

const pods = '/api/v1/namespaces/default/pods';
const priorityClasses = '/apis/scheduling.orch.io/v1/priorityclasses';
const policies = '/apis/admissionregistration.orch.io/v1/validatingadmissionpolicies';
const bindings = `${policies.slice(0, -'policies'.length)}policybindings`;
const marker = 'text of the object';

const server = new RealServer({}, async (server) => {
  const metadata = { name: 'a' };
  const created = await Promise.all([
    server.post(pods, { metadata, spec: { containers: [{ name: 'c', image: 'i', command: [marker] }] } }),
    server.post(priorityClasses, { metadata, value: 1, description: marker }),
  ]);
  for (const { code, text } of created) assert.equal(code, 201, text);
});

/** How often JSON with the marker is parsed during a delete of the object. */
async function parsesDuringDelete(path: string): Promise<number> {
  const { parse } = JSON;
  let count = 0;
  const parsing = mock.method(JSON, 'parse', (...parameters: Parameters<typeof JSON.parse>) => {
    if (parameters[0].includes(marker)) count++;
    return parse(...parameters);
  });
  try {
    const { code, text } = await server.send('DELETE', `${path}?dryRun=All`, {});
    assert.equal(code, 200, text);
  } finally {
    parsing.mock.restore();
  }
  return count;
}

test('a delete whose admission reads only the name decodes only the metadata', async () => {
  assert.equal(await parsesDuringDelete(`${priorityClasses}/a`), 0);
});

test('a delete that needs the whole object decodes it once, for admission, too', async () => {
  const resourceRules = [
    { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['DELETE'] },
  ];
  const spec = {
    matchConstraints: { resourceRules },
    validations: [{ expression: "oldObject.metadata.name == 'a'" }],
  };
  assert.equal((await server.post(policies, { metadata: { name: 'p' }, spec })).code, 201);
  const bound = { policyName: 'p', validationActions: ['Deny'] };
  assert.equal((await server.post(bindings, { metadata: { name: 'p' }, spec: bound })).code, 201);
  const decodes = await parsesDuringDelete(`${pods}/a`);
  assert.equal(decodes, 1);
});
