import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { TestServer, testServer } from '../support/client.ts';
import { startServer } from '../support/servers.ts';

const api = testServer();
const prefix = 'pod-security.orch.io/';

/** A namespace with these labels. */
async function space(asked: Record<string, string>, client = api): Promise<string> {
  const labels = Object.fromEntries(Object.entries(asked).map(([mode, value]) => [prefix + mode, value]));
  const { code, body, text } = await client.post('/api/v1/namespaces', {
    metadata: { generateName: 'safe-', labels },
  });
  assert.equal(code, 201, text);
  return `/api/v1/namespaces/${body.metadata.name}`;
}
const pod = (name: string, fields: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i:1' }], ...fields },
});
const warnings = ({ headers }: { headers: Headers }) => headers.get('warning');

test('a pod that violates the enforce level of its namespace is rejected, and accepted in another one', async () => {
  const { code, body } = await api.post(
    `${await space({ enforce: 'baseline' })}/pods`,
    pod('a', { hostPID: true }),
  );
  assert.equal(code, 403);
  assert.equal(
    body.message,
    'pods "a" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostPID=true)',
  );
  assert.equal((await api.post(`${await space({})}/pods`, pod('a', { hostPID: true }))).code, 201);
});

test('labels apply as soon as they are written, also to pod templates of workloads', async () => {
  const namespace = await space({});
  const name = namespace.replace(/^.*\//, '');
  const template = { metadata: {}, spec: { ...pod('').spec, hostPID: true } };
  const made = (n: string) => api.post(`${namespace}/podtemplates`, { metadata: { name: n }, template });
  assert.equal(warnings(await made('a')), null);
  const label = (value: string | null) =>
    api.request(
      'PATCH',
      namespace,
      { metadata: { labels: { [`${prefix}enforce`]: value } } },
      { 'content-type': 'application/merge-patch+json' },
    );
  await api.post(`${namespace}/pods`, pod('p', { hostPID: true }));
  const told = warnings(await label('baseline'));
  assert.equal(
    told,
    `299 - "existing pods in namespace \\"${name}\\" violate the new PodSecurity enforce level \\"baseline:latest\\"", 299 - "p: host namespaces"`,
  );
  assert.match(warnings(await made('b'))!, /would violate PodSecurity .*host namespaces \(hostPID=true\)/);
  assert.equal((await api.post(`${namespace}/pods`, pod('q', { hostPID: true }))).code, 403);
  await label(null);
  assert.equal(warnings(await made('c')), null);
});

test('a label with an unknown level or version is rejected', async () => {
  const { code, body } = await api.post('/api/v1/namespaces', {
    metadata: { name: 'strange', labels: { [`${prefix}enforce`]: 'strict' } },
  });
  assert.equal(code, 422);
  assert.equal(body.details.causes[0]!.field, `metadata.labels[${prefix}enforce]`);
});

test('a stricter enforce level warns of existing pods that violate it', async () => {
  const namespace = await space({});
  for (let i = 0; i < 5; i++) await api.post(`${namespace}/pods`, pod(`p${i}`, { hostIPC: true }));
  const { body } = await api.get(namespace);
  const labels = { ...body.metadata.labels, [`${prefix}enforce`]: 'baseline' };
  const answer = await api.put(namespace, { ...body, metadata: { ...body.metadata, labels } });
  assert.match(warnings(answer)!, /"p0 \(and 4 other pods\): host namespaces"/);
});

test('the audit event has the enforced policy and the violations', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pod-security-'));
  const policy = join(folder, 'policy.yaml');
  const log = join(folder, 'audit.log');
  await writeFile(
    policy,
    'apiVersion: audit.orch.io/v1\nkind: Policy\nrules: [{level: Metadata, resources: [{resources: [pods]}]}]\n',
  );
  const audited = new TestServer();
  audited.server = await startServer({
    auditPolicyFile: policy,
    auditLogPath: log,
    auditLogMode: 'blocking',
  });
  try {
    const namespace = await space(
      { enforce: 'baseline', audit: 'restricted', 'audit-version': 'v1.7' },
      audited,
    );
    await audited.post(`${namespace}/pods`, pod('a'));
    // Only then is the log complete: a response does not wait for its audit event.
    await audited.server.stop();
    const [line] = readFileSync(log, 'utf8')
      .split('\n')
      .filter((each) => each.includes('ResponseComplete') && each.includes('"create"'));
    const { annotations } = JSON.parse(line!) as { annotations: Record<string, string> };
    assert.equal(annotations[`${prefix}enforce-policy`], 'baseline:latest');
    assert.equal(
      annotations[`${prefix}audit-violations`],
      'would violate PodSecurity "restricted:v1.7": runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true)',
    );
  } finally {
    await audited.server.stop();
    await rm(folder, { recursive: true });
  }
});

test('evaluations are counted in the metrics', async () => {
  const namespace = await space({ enforce: 'restricted' });
  await api.post(`${namespace}/pods`, pod('a'));
  const { text } = await api.get('/metrics');
  assert.match(
    text,
    /^pod_security_evaluations_total\{decision="deny",mode="enforce",policy_level="restricted",policy_version="latest",request_operation="create",resource="pod",subresource=""\} 1$/m,
  );
});
