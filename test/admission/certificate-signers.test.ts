import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRequest, type RequestOptions, requestPem } from '../../src/pki/signing-request.fixture.ts';
import { authority } from '../parity/corpus/certificates-data.ts';
import { testServer } from '../support/client.ts';

const server = testServer();
const lenient = testServer({ disableAdmissionPlugins: ['CertificateSubjectRestriction'] });
const requests = '/apis/certificates.orch.io/v1/certificatesigningrequests';
const apiGroup = 'rbac.authorization.orch.io';
const certificate = Buffer.from(authority).toString('base64');
const approved = { conditions: [{ type: 'Approved', status: 'True' }] };

const request = (name: string, making: RequestOptions = {}, signerName = 'example.com/a') => ({
  metadata: { name },
  spec: {
    request: Buffer.from(requestPem(makeRequest(making))).toString('base64'),
    signerName,
    usages: ['client auth'],
  },
});

/** Grants a user all verbs on CertificateSigningRequests, and these verbs on signers. */
async function grant(user: string, resourceNames: string[], verbs: string[]): Promise<void> {
  const at = `/apis/${apiGroup}/v1`;
  const apiGroups = ['certificates.orch.io'];
  const resources = ['', '/approval', '/status'].map((part) => `certificatesigningrequests${part}`);
  const role = await server.post(`${at}/clusterroles`, {
    metadata: { name: user },
    rules: [
      { apiGroups, resources, verbs: ['*'] },
      ...(verbs.length > 0 ? [{ apiGroups, resources: ['signers'], resourceNames, verbs }] : []),
    ],
  });
  assert.equal(role.code, 201, role.text);
  const binding = await server.post(`${at}/clusterrolebindings`, {
    metadata: { name: user },
    roleRef: { apiGroup, kind: 'ClusterRole', name: user },
    subjects: [{ apiGroup, kind: 'User', name: user }],
  });
  assert.equal(binding.code, 201, binding.text);
}

const write = (user: string, name: string, part: string, status: object) =>
  server.request(
    'PATCH',
    `${requests}/${name}/${part}`,
    { status },
    { 'impersonate-user': user, 'content-type': 'application/merge-patch+json' },
  );

test('approval needs the verb approve on the signer or on its domain', async () => {
  await grant('writer', [], []);
  await grant('approver', ['example.com/a'], ['approve']);
  await grant('domain-approver', ['example.com/*'], ['approve']);
  await server.post(requests, request('approve-a'));
  await server.post(requests, request('approve-b', {}, 'example.com/b'));
  const refused = await write('writer', 'approve-a', 'approval', approved);
  assert.equal(refused.code, 403);
  assert.equal(
    refused.body.message,
    'certificatesigningrequests.certificates.orch.io "approve-a" is forbidden: user not permitted to approve requests with signerName "example.com/a"',
  );
  assert.equal((await write('approver', 'approve-b', 'approval', approved)).code, 403);
  assert.equal((await write('approver', 'approve-a', 'approval', approved)).code, 200);
  assert.equal((await write('domain-approver', 'approve-b', 'approval', approved)).code, 200);
});

test('signing needs the verb sign on the signer; updates that change no status do not', async () => {
  await grant('half-signer', ['example.com/a'], ['approve']);
  await grant('signer', ['example.com/a'], ['sign']);
  await server.post(requests, request('sign-a'));
  const refused = await write('half-signer', 'sign-a', 'status', { certificate });
  assert.equal(refused.code, 403);
  assert.match(refused.body.message, /user not permitted to sign requests with signerName "example.com\/a"$/);
  assert.equal((await write('half-signer', 'sign-a', 'status', {})).code, 200);
  const { code, body } = await write('signer', 'sign-a', 'status', { certificate });
  assert.equal(code, 200);
  assert.equal((body.status as { certificate: string }).certificate, certificate);
});

test('a client certificate request with the group system:masters is rejected', async () => {
  const making = { organizations: ['system:masters'] };
  const refused = await server.post(requests, request('masters', making, 'orch.io/apiserver-client'));
  assert.equal(refused.code, 403);
  assert.match(
    refused.body.message,
    /"masters" is forbidden: use of orch.io\/apiserver-client signer with system:masters group is not allowed$/,
  );
  assert.equal((await server.post(requests, request('masters', making))).code, 201);
  const made = await lenient.post(requests, request('masters', making, 'orch.io/apiserver-client'));
  assert.equal(made.code, 201);
  const others = { organizations: ['crew'] };
  assert.equal((await server.post(requests, request('crew', others, 'orch.io/apiserver-client'))).code, 201);
});

test('the username and groups of a CertificateSigningRequest are those of its creator', async () => {
  await grant('asker', [], []);
  const claimed = request('asked');
  const spec = {
    ...claimed.spec,
    username: 'somebody',
    groups: ['system:masters'],
    uid: '1',
    extra: { a: ['b'] },
  };
  const { code, body } = await server.request(
    'POST',
    requests,
    { ...claimed, spec },
    { 'impersonate-user': 'asker' },
  );
  assert.equal(code, 201);
  assert.equal(body.spec.username, 'asker');
  assert.deepEqual(body.spec.groups, ['system:authenticated']);
  assert.deepEqual([body.spec.uid, body.spec.extra], [undefined, undefined]);
});

test('spec.request must be a PKCS#10 request that is signed with its own key', async () => {
  const bad = request('bad');
  const tampered = Buffer.from(makeRequest());
  tampered[tampered.length - 1]! ^= 1;
  for (const [text, problem] of [
    ['words', 'PEM block type must be CERTIFICATE REQUEST'],
    [requestPem(Buffer.from('xxx')), "asn1: structure error: tags don't match (16 vs"],
    [requestPem(tampered), 'x509: ECDSA verification failure'],
  ] as const) {
    const sent = { ...bad.spec, request: Buffer.from(text).toString('base64') };
    const { code, body } = await server.post(requests, { ...bad, spec: sent });
    assert.equal(code, 422);
    assert.equal(body.details.causes[0]?.field, 'spec.request');
    assert.ok(body.message.includes(problem), body.message);
  }
});
