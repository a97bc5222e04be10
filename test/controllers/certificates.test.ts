import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { request as httpsRequest } from 'node:https';
import { test } from 'node:test';
import {
  extensionRequest,
  keyPairs,
  makeRequest,
  type RequestOptions,
  requestPem,
  subjectAltNames,
  value,
} from '../../src/pki/signing-request.fixture.ts';
import { SecuredServer } from '../support/secured-server.ts';

const requests = '/apis/certificates.orch.io/v1/certificatesigningrequests';
const minute = 60_000;
const hour = 60 * minute;

interface Status {
  readonly certificate?: string;
  readonly conditions?: { type: string; status: string; reason: string; message: string }[];
}

class Signing extends SecuredServer {
  status = async (name: string) => (await this.get(`${requests}/${name}`)).body?.status as Status;

  async until(name: string, isReached: (status: Status) => boolean): Promise<Status> {
    for (let i = 0; i < 4_000; i++) {
      const status = await this.status(name);
      if (isReached(status)) return status;
      await settle();
    }
    assert.fail(`not in time: ${JSON.stringify(await this.status(name))}`);
  }

  signed = async (name: string) =>
    new X509Certificate(
      Buffer.from((await this.until(name, ({ certificate }) => !!certificate)).certificate!, 'base64'),
    );
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
const api = new Signing();

const node = { commonName: 'system:node:n1', organizations: ['system:nodes'] };
const dns = value(0x82, Buffer.from('n1.example'));
const address = value(0x87, Buffer.from([10, 0, 0, 1]));
const mail = value(0x81, Buffer.from('n1@example.com'));
const uri = value(0x86, Buffer.from('spiffe://example/n1'));

interface Asked {
  readonly making?: RequestOptions;
  readonly signerName?: string;
  readonly usages?: readonly string[];
  readonly expirationSeconds?: number;
  readonly headers?: Record<string, string>;
}

async function ask(name: string, asked: Asked = {}): Promise<void> {
  const { making = {}, signerName = 'orch.io/apiserver-client', headers } = asked;
  const { usages = ['client auth'], expirationSeconds } = asked;
  const request = Buffer.from(requestPem(makeRequest(making))).toString('base64');
  const spec = { request, signerName, usages, expirationSeconds };
  const made = await api.request('POST', requests, { metadata: { name }, spec }, headers);
  assert.equal(made.code, 201, made.text);
}

async function decide(name: string, type: 'Approved' | 'Denied' = 'Approved'): Promise<void> {
  const conditions = [{ type, status: 'True', reason: 'Tested' }];
  const merge = { 'content-type': 'application/merge-patch+json' };
  const done = await api.request('PATCH', `${requests}/${name}/approval`, { status: { conditions } }, merge);
  assert.equal(done.code, 200, done.text);
}

async function askApproved(name: string, asked: Asked = {}): Promise<void> {
  await ask(name, asked);
  await decide(name);
}

function askOverTls(path: string, cert: string, key: string): Promise<{ code: number; text: string }> {
  return new Promise((resolve, reject) => {
    const url = api.server.secureUrl + path;
    const sent = httpsRequest(url, { ca: api.server.caCertificate, cert, key, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ code: response.statusCode!, text }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('an approved request is signed, and the certificate authenticates its owner', async () => {
  const keys = keyPairs.ec();
  await ask('jane', { making: { commonName: 'jane', organizations: ['crew', 'x'], keys } });
  await settle();
  assert.equal((await api.status('jane')).certificate, undefined);
  await decide('jane');
  const certificate = await api.signed('jane');
  const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const refused = await askOverTls('/api/v1/secrets', certificate.toString(), key);
  assert.equal(refused.code, 403);
  assert.match(refused.text, /User \\"jane\\" cannot list/);
  await api.server.client.create({
    apiVersion: 'rbac.authorization.orch.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'crew' },
    roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ apiGroup: 'rbac.authorization.orch.io', kind: 'Group', name: 'crew' }],
  });
  const allowed = await askOverTls('/api/v1/configmaps', certificate.toString(), key);
  assert.equal(allowed.code, 200, allowed.text);
});

test('a certificate has the requested usages and expiration', async () => {
  await askApproved('short', {
    making: { attributes: extensionRequest(subjectAltNames(uri, address, mail, dns)) },
    usages: ['client auth', 'digital signature', 'key encipherment'],
    expirationSeconds: 3600,
  });
  const short = await api.signed('short');
  const now = api.clock.now();
  assert.equal(
    short.subjectAltName,
    'DNS:n1.example, email:n1@example.com, IP Address:10.0.0.1, URI:spiffe://example/n1',
  );
  assert.deepEqual(short.keyUsage, ['1.3.6.1.5.5.7.3.2']);
  assert.equal(short.ca, false);
  assert.ok(Math.abs(Date.parse(short.validTo) - now - hour) < minute);
  assert.ok(Math.abs(Date.parse(short.validFrom) - now + 5 * minute) < minute);
  await askApproved('long', { expirationSeconds: 2_000_000_000 });
  const lasts = Date.parse((await api.signed('long')).validTo) - api.clock.now();
  assert.ok(Math.abs(lasts - 365 * 24 * hour + 5 * minute) < minute);
});

test('only well-known subject attributes get into the certificate', async () => {
  const part = (oid: string, text: string) =>
    value(0x31, value(0x30, value(0x06, Buffer.from(oid, 'hex')), value(0x0c, Buffer.from(text))));
  // The uid attribute of a client certificate.
  const uid = '2b0601040183c25102';
  const subject = value(0x30, part(uid, 'stolen'), part('550403', 'first'), part('550403', 'last'));
  await askApproved('odd-subject', { making: { subject } });
  assert.equal((await api.signed('odd-subject')).subject, 'CN=last');
});

test('RSA and Ed25519 keys are signed as well', async () => {
  await askApproved('rsa', {
    making: { keys: keyPairs.rsa(), algorithm: '06092a864886f70d01010b0500' },
  });
  await askApproved('ed25519', {
    making: { keys: keyPairs.ed25519(), algorithm: '06032b6570', hash: null },
  });
  const authority = new X509Certificate(api.server.caCertificate!);
  for (const name of ['rsa', 'ed25519']) {
    assert.ok((await api.signed(name)).verify(authority.publicKey), name);
  }
});

const kubelet = 'orch.io/apiserver-client-kubelet';
const serving = 'orch.io/kubelet-serving';
const withNames = (...names: Buffer[]) => ({
  ...node,
  attributes: extensionRequest(subjectAltNames(...names)),
});
const clientUsages = ['client auth', 'digital signature'];
const servingUsages = ['server auth', 'digital signature', 'key encipherment'];
const refusals: readonly (Asked & { readonly problem: string })[] = [
  { usages: ['server auth'], problem: 'invalid usage for client certificate: server auth' },
  {
    usages: ['digital signature'],
    problem: 'missing required usage for client certificate: client auth',
  },
  {
    signerName: kubelet,
    making: { commonName: 'system:node:n1' },
    usages: clientUsages,
    problem: 'subject organization is not system:nodes',
  },
  {
    signerName: kubelet,
    making: { ...node, commonName: 'n1' },
    usages: clientUsages,
    problem: 'subject common name does not begin with system:node:',
  },
  {
    signerName: kubelet,
    making: node,
    usages: ['client auth', 'server auth'],
    problem: 'usages did not match [client auth digital signature key encipherment]',
  },
  ...(
    [
      [dns, 'DNS'],
      [address, 'IP'],
      [mail, 'Email'],
      [uri, 'URI'],
    ] as const
  ).map(([name, what]) => ({
    signerName: kubelet,
    making: withNames(name),
    usages: clientUsages,
    problem: `${what} subjectAltNames are not allowed`,
  })),
  {
    signerName: serving,
    making: node,
    usages: servingUsages,
    problem: 'DNS or IP subjectAltName is required',
  },
  {
    signerName: serving,
    making: withNames(dns),
    usages: clientUsages,
    problem: 'usages did not match [digital signature key encipherment server auth]',
  },
  {
    signerName: serving,
    making: withNames(dns, mail),
    usages: servingUsages,
    problem: 'Email subjectAltNames are not allowed',
  },
  {
    signerName: serving,
    making: withNames(dns, uri),
    usages: servingUsages,
    problem: 'URI subjectAltNames are not allowed',
  },
];

for (const [i, { problem, ...asked }] of refusals.entries()) {
  test(`a signer rejects an invalid request: ${problem} (${asked.signerName ?? 'client'})`, async () => {
    await askApproved(`refused-${i}`, asked);
    const isFailed = ({ conditions = [] }: Status) => conditions.some(({ type }) => type === 'Failed');
    const { conditions, certificate } = await api.until(`refused-${i}`, isFailed);
    const { reason, message, status } = conditions!.find(({ type }) => type === 'Failed')!;
    assert.deepEqual([reason, message, status], ['SignerValidationFailure', problem, 'True']);
    assert.equal(certificate, undefined);
  });
}

test('a kubelet gets its serving certificate', async () => {
  await askApproved('serving', {
    signerName: serving,
    making: withNames(dns, address),
    usages: servingUsages,
  });
  const certificate = await api.signed('serving');
  assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  assert.equal(certificate.subject, 'O=system:nodes\nCN=system:node:n1');
});

test('requests of other signers are ignored', async () => {
  await askApproved('other', { signerName: 'example.com/signer' });
  await askApproved('server', { signerName: 'orch.io/apiserver-serving', usages: ['server auth'] });
  await askApproved('afterwards');
  await api.signed('afterwards');
  for (const name of ['other', 'server']) {
    const { certificate, conditions } = await api.status(name);
    assert.deepEqual([certificate, conditions?.length], [undefined, 1]);
  }
});

async function allow(user: string, right: string): Promise<void> {
  const { client } = api.server;
  const apiVersion = 'rbac.authorization.orch.io/v1';
  const name = `${right}-${user.replaceAll(':', '-')}`;
  await client.create({
    apiVersion,
    kind: 'ClusterRole',
    metadata: { name },
    rules: [
      {
        apiGroups: ['certificates.orch.io'],
        resources: ['certificatesigningrequests', `certificatesigningrequests/${right}`],
        verbs: ['create'],
      },
    ],
  });
  await client.create({
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name },
    subjects: [{ apiGroup: 'rbac.authorization.orch.io', kind: 'User', name: user }],
  });
}

const approvalOf = ({ conditions = [] }: Status) => conditions.find(({ type }) => type === 'Approved');

test('a client certificate request of a permitted kubelet is approved automatically', async () => {
  await allow('system:node:n1', 'selfnodeclient');
  await allow('bootstrapper', 'nodeclient');
  const asked = { signerName: kubelet, making: node, usages: clientUsages };
  for (const [user, message] of [
    ['system:node:n1', 'Auto approving self kubelet client certificate after SubjectAccessReview.'],
    ['bootstrapper', 'Auto approving kubelet client certificate after SubjectAccessReview.'],
  ] as const) {
    const name = `auto-${user.replaceAll(':', '-')}`;
    await ask(name, { ...asked, headers: { 'impersonate-user': user } });
    const status = await api.until(name, ({ certificate }) => !!certificate);
    const approval = approvalOf(status)!;
    assert.deepEqual([approval.reason, approval.message], ['AutoApproved', message]);
  }
});

test('a request without permission is approved once permission is granted', async () => {
  await allow('newcomer', 'something');
  const asked = { signerName: kubelet, making: node, usages: clientUsages };
  await ask('newcomer', { ...asked, headers: { 'impersonate-user': 'newcomer' } });
  // A request for another node needs permission for any node.
  const other = { ...asked, making: { ...node, commonName: 'system:node:n2' } };
  await ask('other-node', { ...other, headers: { 'impersonate-user': 'system:node:n1' } });
  await ask('after-these', { ...asked, headers: { 'impersonate-user': 'bootstrapper' } });
  await api.until('after-these', (status) => approvalOf(status) !== undefined);
  assert.equal(approvalOf(await api.status('newcomer')), undefined);
  assert.equal(approvalOf(await api.status('other-node')), undefined);
  await allow('newcomer', 'nodeclient');
  api.clock.advance(61_000);
  await api.until('newcomer', (status) => approvalOf(status) !== undefined);
});

test('a request is deleted an hour after it was decided, or a day after its creation without a decision', async () => {
  const { body } = await api.get(requests);
  for (const { metadata } of body.items) await api.delete(`${requests}/${metadata.name}`);
  await ask('pending');
  await ask('denied');
  await decide('denied', 'Denied');
  await askApproved('issued');
  await api.signed('issued');
  await askApproved('unissued', { signerName: 'example.com/signer' });
  await askApproved('failed', { usages: ['server auth'] });
  await api.until('failed', ({ conditions = [] }) => conditions.length === 2);
  const names = async () => (await api.get(requests)).body.items.map(({ metadata }) => metadata.name);
  const becomes = async (expected: readonly string[]) => {
    for (let i = 0; i < 2_000 && (await names()).length > expected.length; i++) await settle();
    assert.deepEqual(await names(), expected);
  };
  assert.equal((await names()).length, 5);
  api.clock.advance(30 * minute);
  await becomes(['denied', 'failed', 'issued', 'pending', 'unissued']);
  api.clock.advance(hour);
  api.clock.advance(hour);
  await becomes(['pending', 'unissued']);
  api.clock.advance(25 * hour);
  await becomes([]);
});
