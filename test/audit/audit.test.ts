import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runAudited } from '../support/audit.ts';

const configmaps = '/api/v1/namespaces/default/configmaps';
const settings = { metadata: { name: 'settings' }, data: { mode: '<fast>' } };
const stagesOf = (events: readonly { stage: string }[]) => events.map(({ stage }) => stage);

test("a request has the events RequestReceived and ResponseComplete, with fields in upstream's order", async () => {
  const log = await runAudited('rules: [{level: Metadata}]', async (client) => {
    await client.as('admin', 'one', 'POST', `${configmaps}?dryRun=All&x=<>`, settings);
  });
  const [received, complete] = log.of('one');
  assert.deepEqual(stagesOf(log.of('one')), ['RequestReceived', 'ResponseComplete']);
  assert.equal(received!.requestReceivedTimestamp, received!.stageTimestamp);
  assert.match(complete!.stageTimestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  assert.ok(complete!.stageTimestamp >= complete!.requestReceivedTimestamp);
  const { requestReceivedTimestamp: _, stageTimestamp: __, ...told } = complete!;
  assert.deepEqual(told, {
    kind: 'Event',
    apiVersion: 'audit.orch.io/v1',
    level: 'Metadata',
    auditID: 'one',
    stage: 'ResponseComplete',
    requestURI: `${configmaps}?dryRun=All&x=<>`.replace('<>', '%3C%3E'),
    verb: 'create',
    user: { username: 'admin', uid: 'admin-uid', groups: ['system:masters', 'system:authenticated'] },
    sourceIPs: ['127.0.0.1'],
    userAgent: 'test/1',
    objectRef: { resource: 'configmaps', namespace: 'default', name: 'settings', apiVersion: 'v1' },
    responseStatus: { metadata: {}, code: 201 },
    annotations: { 'authorization.orch.io/decision': 'allow', 'authorization.orch.io/reason': '' },
  });
  assert.deepEqual(Object.keys(complete!), [
    'kind',
    'apiVersion',
    'level',
    'auditID',
    'stage',
    'requestURI',
    'verb',
    'user',
    'sourceIPs',
    'userAgent',
    'objectRef',
    'responseStatus',
    'requestReceivedTimestamp',
    'stageTimestamp',
    'annotations',
  ]);
  assert.ok(log.text.includes('dryRun=All\\u0026x'), 'written so that no browser reads markup in it');
});

test('the levels None, Metadata, Request and RequestResponse add content', async () => {
  const rules = `rules:
  - {level: None, verbs: [list]}
  - {level: Request, verbs: [create]}
  - {level: RequestResponse, verbs: [update, patch, delete]}
  - {level: Metadata}`;
  const log = await runAudited(rules, async (client) => {
    await client.as('admin', 'none', 'GET', configmaps);
    await client.as('admin', 'request', 'POST', configmaps, settings);
    await client.as('admin', 'metadata', 'GET', `${configmaps}/settings`);
    await client.as('admin', 'response', 'PUT', `${configmaps}/settings`, { ...settings, data: { a: 'b' } });
    const merge = { 'content-type': 'application/merge-patch+json' };
    await client.as('admin', 'patch', 'PATCH', `${configmaps}/settings`, '{"data": {"a": "<"}}', merge);
    await client.as('admin', 'delete', 'DELETE', `${configmaps}/settings`, {
      propagationPolicy: 'Background',
    });
  });
  assert.deepEqual(log.of('none'), []);
  const last = (id: string) => log.of(id).at(-1)!;
  assert.equal(last('metadata').requestObject, undefined);
  assert.equal(last('metadata').responseObject, undefined);
  assert.deepEqual(last('request').requestObject!.data, { mode: '<fast>' });
  assert.equal(last('request').responseObject, undefined);
  assert.deepEqual(log.of('request')[0]!.requestObject, undefined, 'nothing is read yet when it comes in');
  assert.deepEqual(last('response').requestObject!.data, { a: 'b' });
  assert.equal(last('response').responseObject!.metadata.namespace, 'default');
  assert.deepEqual(last('patch').requestObject, { data: { a: '<' } });
  assert.deepEqual(last('delete').requestObject, {
    kind: 'DeleteOptions',
    apiVersion: 'meta.orch.io/__internal',
    propagationPolicy: 'Background',
  });
  assert.equal(last('delete').responseObject!.kind, 'Status');
  assert.equal(last('delete').responseStatus!.status, 'Success');
});

test('omitStages of the policy or the rule omits stages', async () => {
  const rules = `omitStages: [RequestReceived]
rules:
  - {level: Metadata, verbs: [watch], omitStages: [ResponseStarted]}
  - {level: Metadata, users: [bob], omitStages: [ResponseComplete]}
  - {level: Metadata}`;
  const log = await runAudited(rules, async (client) => {
    await client.as('admin', 'get', 'GET', configmaps);
    await client.as('bob', 'bob', 'GET', configmaps);
    await client.as('admin', 'watch', 'GET', `${configmaps}?watch=1&timeoutSeconds=1`);
  });
  assert.deepEqual(stagesOf(log.of('get')), ['ResponseComplete']);
  assert.deepEqual(stagesOf(log.of('bob')), []);
  assert.deepEqual(stagesOf(log.of('watch')), ['ResponseComplete']);
});

test('omitManagedFields removes managedFields from objects, lists and Tables', async () => {
  const rules = `omitManagedFields: true
rules:
  - {level: RequestResponse, users: [admin], verbs: [get], omitManagedFields: false}
  - {level: RequestResponse}`;
  const table = { accept: 'application/json;as=Table;g=meta.orch.io;v=v1' };
  const log = await runAudited(rules, async (client) => {
    await client.as('admin', 'create', 'POST', configmaps, settings);
    await client.as('admin', 'list', 'GET', configmaps);
    await client.as('admin', 'yaml', 'GET', configmaps, undefined, { accept: 'application/yaml' });
    await client.as('admin', 'table', 'GET', configmaps, undefined, table);
    await client.as('admin', 'get', 'GET', `${configmaps}/settings`);
  });
  const answer = (id: string) => JSON.stringify(log.of(id).at(-1)!.responseObject);
  for (const id of ['create', 'list', 'yaml', 'table']) {
    assert.ok(answer(id).includes('"name":"settings"'), id);
    assert.ok(!answer(id).includes('managedFields'), id);
  }
  assert.ok(answer('get').includes('managedFields'));
  assert.equal(answer('yaml').replace(/^.*"items"/, ''), answer('list').replace(/^.*"items"/, ''));
});

test('a watch has the event ResponseStarted before ResponseComplete', async () => {
  const log = await runAudited('rules: [{level: RequestResponse}]', async (client) => {
    await client.as('admin', 'watch', 'GET', `${configmaps}?watch=1&timeoutSeconds=1`);
    await client.as('admin', 'bad', 'GET', `${configmaps}?watch=1&labelSelector=a,,`);
  });
  assert.deepEqual(stagesOf(log.of('watch')), ['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
  assert.deepEqual(log.of('watch')[1]!.responseStatus, { metadata: {}, code: 200 });
  assert.deepEqual(stagesOf(log.of('bad')), ['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
  assert.equal(log.of('bad')[1]!.responseStatus!.code, 400);
});

test('a rejected request has user, reason and source address', async () => {
  const log = await runAudited('rules: [{level: Metadata}]', async (client) => {
    await client.as('wrong', 'unknown', 'GET', configmaps);
    const proxied = { 'x-forwarded-for': '192.0.2.1, nonsense,::FFFF:1.2.3.4', 'x-real-ip': '192.0.2.9' };
    await client.as('bob', 'refused', 'GET', configmaps, undefined, proxied);
    await client.as('admin', 'as', 'GET', configmaps, undefined, { 'impersonate-user': 'eve' });
    await client.as('bob', 'may not', 'GET', configmaps, undefined, { 'impersonate-user': 'eve' });
    await client.as('admin', 'missing', 'GET', `${configmaps}/missing`);
  });
  const [unknown, ...more] = log.of('unknown');
  assert.deepEqual(more, []);
  assert.equal(unknown!.stage, 'ResponseStarted');
  assert.deepEqual(unknown!.user, {});
  assert.equal(unknown!.annotations, undefined);
  assert.equal(unknown!.responseStatus!.code, 401);
  const refused = log.of('refused')[1]!;
  assert.deepEqual(refused.sourceIPs, ['192.0.2.1', '1.2.3.4', '192.0.2.9', '127.0.0.1']);
  assert.equal(refused.annotations!['authorization.orch.io/decision'], 'forbid');
  assert.equal(refused.responseStatus!.reason, 'Forbidden');
  const [before, after] = log.of('as');
  assert.equal(before!.impersonatedUser, undefined, 'it is not settled yet when the request comes in');
  assert.equal(after!.user.username, 'admin');
  assert.deepEqual(after!.impersonatedUser, { username: 'eve', groups: ['system:authenticated'] });
  const mayNot = log.of('may not')[1]!;
  assert.equal(mayNot.impersonatedUser, undefined);
  assert.equal(mayNot.annotations, undefined);
  assert.deepEqual(log.of('missing')[1]!.responseStatus!.details, { name: 'missing', kind: 'configmaps' });
});

test('rules choose by user, group, verb, resource, name, namespace and path, and the first that matches decides', async () => {
  const rules = `rules:
  - {level: None, nonResourceURLs: [/healthz, /live*]}
  - {level: None, users: [admin], resources: [{group: "", resources: [configmaps], resourceNames: [quiet]}]}
  - {level: Metadata, resources: [{group: "", resources: [pods/*, "*/scale"]}]}
  - {level: Metadata, userGroups: [dev], verbs: [get], namespaces: [default]}
  - {level: Metadata, nonResourceURLs: [/version]}`;
  const log = await runAudited(rules, async (client) => {
    await client.as('admin', 'healthz', 'GET', '/healthz');
    await client.as('admin', 'livez', 'GET', '/livez');
    await client.as('admin', 'version', 'GET', '/version');
    await client.as('admin', 'apis', 'GET', '/apis');
    await client.as('admin', 'quiet', 'GET', `${configmaps}/quiet`);
    await client.as('bob', 'bob', 'GET', `${configmaps}/quiet`);
    await client.as('bob', 'elsewhere', 'GET', '/api/v1/namespaces/other/configmaps/x');
    await client.as('bob', 'list', 'GET', configmaps);
    await client.as('admin', 'pod', 'GET', '/api/v1/namespaces/default/pods/x');
    await client.as('admin', 'status', 'GET', '/api/v1/namespaces/default/pods/x/status');
    await client.as('admin', 'scale', 'GET', '/api/v1/namespaces/default/replicationcontrollers/x/scale');
    await client.as('admin', 'apps', 'GET', '/apis/apps/v1/namespaces/default/deployments/x/scale');
  });
  const ids = new Set(log.events.map(({ auditID }) => auditID));
  assert.deepEqual([...ids].sort(), ['bob', 'pod', 'scale', 'status', 'version']);
});

test('a deprecated version is marked in the audit log', async () => {
  const log = await runAudited('rules: [{level: Metadata}]', async (client) => {
    await client.as('admin', 'old', 'GET', '/api/v1/namespaces/default/endpoints/none');
    await client.as('admin', 'new', 'GET', configmaps);
  });
  assert.equal(log.of('old')[1]!.annotations!['orch.io/deprecated'], 'true');
  assert.equal(log.of('old')[0]!.annotations, undefined);
  assert.equal(log.of('new')[1]!.annotations!['orch.io/deprecated'], undefined);
});

test('the legacy format is a line of words', async () => {
  const { text } = await runAudited(
    'rules: [{level: Metadata, users: [bob]}]',
    async (client) => {
      await client.as('bob', 'old', 'GET', configmaps);
      await client.as('bob', 'token', 'GET', `${configmaps}?token=abc`);
    },
    { auditLogFormat: 'legacy' },
  );
  assert.ok(!text.includes('abc'));
  const [received, complete] = text.split('\n');
  assert.match(
    received!,
    /^\d{4}-\d\d-\d\dT[\d:.]+Z AUDIT: id="old" stage="RequestReceived" ip="127\.0\.0\.1" /,
  );
  assert.ok(received!.endsWith('response="<deferred>"'));
  assert.ok(
    complete!.endsWith(
      'method="list" user="bob" groups="\\"dev\\",\\"system:authenticated\\"" as="<self>" asgroups="<lookup>" ' +
        `user-agent="test/1" namespace="default" uri="${configmaps}" response="403"`,
    ),
  );
});

test('truncation drops the objects of a large event', async () => {
  const log = await runAudited(
    'rules: [{level: RequestResponse}]',
    async (client) => {
      await client.as('admin', 'long', 'POST', configmaps, {
        metadata: { name: 'long' },
        data: { a: 'x'.repeat(5000) },
      });
    },
    { auditLogTruncateEnabled: true, auditLogTruncateMaxEventSize: 2000 },
  );
  const { annotations, requestObject, responseObject } = log.of('long')[1]!;
  assert.equal(annotations!['audit.orch.io/truncated'], 'true');
  assert.equal(requestObject, undefined);
  assert.equal(responseObject, undefined);
});

test('client-supplied headers cannot break a line', async () => {
  const log = await runAudited('rules: [{level: Metadata}]', async (client) => {
    const odd = { 'user-agent': `"\\<é>${'u'.repeat(2000)}`.replace('é', 'Ã©') };
    await client.as('admin', 'a"b\\Ã©', 'GET', `${configmaps}/%22%0a?x="`, undefined, odd);
  });
  const [event] = log.of('a"b\\é');
  assert.ok(event!.userAgent!.startsWith('"\\<é>u'));
  assert.ok(event!.userAgent!.endsWith('...TRUNCATED'));
  assert.equal(log.text.split('\n').length, log.events.length + 1);
});

test('object content cannot inject fields of the event', async () => {
  const forged = 'x"},"user":{"username":"somebody-else"},"objectRef":{"uid":"x';
  const policy = 'rules: [{level: Metadata}]\nomitStages: [RequestReceived]';
  const log = await runAudited(policy, async (client) => {
    await client.as('bob', 'forged', 'POST', configmaps, { metadata: { name: forged, uid: forged } });
    await client.as('admin', 'forged', 'POST', configmaps, { metadata: { name: forged, uid: forged } });
  });
  const [refused, invalid] = log.of('forged');
  assert.equal(refused!.user.username, 'bob');
  assert.equal(invalid!.user.username, 'admin');
  assert.deepEqual([invalid!.objectRef!.name, invalid!.objectRef!.uid], [forged, forged]);
});

test('requests are served on a full disk, except in mode blocking-strict', {
  skip: process.platform !== 'linux',
}, async () => {
  for (const [auditLogMode, expected] of [
    ['blocking', 200],
    ['batch', 200],
    ['blocking-strict', 500],
  ] as const) {
    const rules = 'rules: [{level: None, nonResourceURLs: [/metrics]}, {level: Metadata}]';
    // Writes of controllers would be audited too.
    const full = { auditLogMode, auditLogPath: '/dev/full', controllers: ['-*'] };
    let metrics = '';
    await runAudited(
      rules,
      async (client) => {
        const { code, text } = await client.as('admin', 'a', 'GET', configmaps);
        assert.equal(code, expected, auditLogMode);
        if (code === 500) {
          assert.equal(text, `Internal Server Error: "${configmaps}": failed to store audit event\n`);
        }
        metrics = (await client.as('admin', 'b', 'GET', '/metrics')).text;
      },
      full,
    );
    const rejected = expected === 500 ? 1 : 0;
    assert.ok(metrics.includes(`\napiserver_audit_requests_rejected_total ${rejected}\n`), auditLogMode);
    assert.ok(metrics.includes(`\napiserver_audit_level_total{level="Metadata"} 1\n`), auditLogMode);
  }
});

test('an unwritable log or an invalid policy prevents the start', async () => {
  const nothing = async () => assert.fail('it started');
  const inTheWay = { auditLogPath: '/dev/null/audit.log' };
  await assert.rejects(
    runAudited('rules: [{level: Metadata}]', nothing, inTheWay),
    /--audit-log-path \/dev\/null\/audit\.log: .*; choose a file that the server can write/,
  );
  await assert.rejects(
    runAudited('rules: [{level: Metadta}]', nothing),
    /rules\[0\]\.level: "Metadta" is not one of/,
  );
  await assert.rejects(
    runAudited('rules: [{level: Metadata}]', nothing, { auditPolicyFile: '/nowhere/policy.yaml' }),
    { code: 'ENOENT' },
  );
});
