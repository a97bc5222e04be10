import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const group = '/apis/flowcontrol.apiserver.orch.io/v1';
const schemas = kind(http, `${group}/flowschemas`);
const levels = kind(http, `${group}/prioritylevelconfigurations`);
const subjects = [{ kind: 'User', user: { name: 'alice' } }];
const paths = { nonResourceURLs: ['/healthz'], verbs: ['get'] };
const resources = { apiGroups: [''], resources: ['pods'], verbs: ['get'], namespaces: ['default'] };
const spec = (change: object) => ({ spec: change });
const rule = (change: object) => spec({ rules: [{ subjects, nonResourceRules: [paths], ...change }] });
const forPaths = (change: object) => rule({ nonResourceRules: [{ ...paths, ...change }] });
const forResources = (change: object) => rule({ resourceRules: [{ ...resources, ...change }] });

test('FlowSchema: distinguisherMethod is ByUser or ByNamespace, or absent', async () => {
  for (const type of ['ByUser', 'ByNamespace']) await schemas.valid(spec({ distinguisherMethod: { type } }));
  assert.equal((await schemas.valid()).spec.distinguisherMethod, undefined);
  await schemas.invalid(spec({ distinguisherMethod: { type: 'ByVerb' } }), 'spec.distinguisherMethod.type');
});

test('FlowSchema: matchingPrecedence is from 1 to 10000, 1000 by default', async () => {
  assert.equal((await schemas.valid(spec({ matchingPrecedence: null }))).spec.matchingPrecedence, 1000);
  for (const good of [1, 2, 9999, 10000]) {
    assert.equal((await schemas.valid(spec({ matchingPrecedence: good }))).spec.matchingPrecedence, good);
  }
  for (const bad of [-1, 0, 10001]) {
    await schemas.invalid(spec({ matchingPrecedence: bad }), 'spec.matchingPrecedence');
  }
});

test('FlowSchema: priorityLevelConfiguration and its name are required', async () => {
  await schemas.invalid(spec({ priorityLevelConfiguration: null }), 'spec.priorityLevelConfiguration.name');
  await schemas.invalid(
    spec({ priorityLevelConfiguration: { name: '' } }),
    'spec.priorityLevelConfiguration.name',
  );
});

test('FlowSchema: rules may be empty', async () => {
  await schemas.valid(spec({ rules: [] }));
});

test('FlowSchema: a rule has at least one subject', async () => {
  await schemas.valid(rule({}));
  await schemas.invalid(rule({ subjects: [] }), 'spec.rules[0].subjects');
});

test('FlowSchema: a rule has resourceRules or nonResourceRules', async () => {
  await schemas.valid(forResources({}));
  await schemas.invalid(rule({ nonResourceRules: [] }), 'spec.rules[0]');
});

test('FlowSchema: a subject has the field that its kind names', async () => {
  const by = (...all: object[]) => rule({ subjects: all });
  await schemas.valid(
    by(
      { kind: 'Group', group: { name: '*' } },
      { kind: 'User', user: { name: '*' } },
      { kind: 'ServiceAccount', serviceAccount: { namespace: 'default', name: '*' } },
    ),
  );
  await schemas.invalid(by({ kind: 'User' }), 'spec.rules[0].subjects[0].user');
  await schemas.invalid(by({ kind: 'Group', group: { name: '' } }), 'spec.rules[0].subjects[0].group.name');
  await schemas.invalid(
    by({ kind: 'ServiceAccount', serviceAccount: { name: 'a' } }),
    'spec.rules[0].subjects[0].serviceAccount.namespace',
  );
  await schemas.invalid(by({ kind: 'Robot' }), 'spec.rules[0].subjects[0].kind');
});

test('FlowSchema: /healthz, /hea, /hea/* and /healthz/* are valid, /hea* is not', async () => {
  await schemas.valid(forPaths({ nonResourceURLs: ['/healthz', '/hea', '/hea/*', '/healthz/*'] }));
  await schemas.invalid(
    forPaths({ nonResourceURLs: ['/hea*'] }),
    'spec.rules[0].nonResourceRules[0].nonResourceURLs[0]',
  );
});

test('FlowSchema: paths and verbs of a nonResourceRule are not empty, and * stands alone', async () => {
  const at = 'spec.rules[0].nonResourceRules[0]';
  await schemas.valid(forPaths({ nonResourceURLs: ['*'], verbs: ['*'] }));
  await schemas.invalid(forPaths({ nonResourceURLs: [] }), `${at}.nonResourceURLs`);
  await schemas.invalid(forPaths({ nonResourceURLs: ['*', '/healthz'] }), `${at}.nonResourceURLs`);
  await schemas.invalid(forPaths({ verbs: [] }), `${at}.verbs`);
  await schemas.invalid(forPaths({ verbs: ['*', 'get'] }), `${at}.verbs`);
});

test('FlowSchema: groups, resources and verbs of a resourceRule are not empty, and * stands alone', async () => {
  const at = 'spec.rules[0].resourceRules[0]';
  await schemas.valid(forResources({ apiGroups: ['*'], resources: ['*'], verbs: ['*'], namespaces: ['*'] }));
  await schemas.valid(forResources({ resources: ['pods', 'nodes/status'] }));
  for (const [field, some] of [
    ['apiGroups', 'apps'],
    ['resources', 'pods'],
    ['verbs', 'get'],
  ] as const) {
    await schemas.invalid(forResources({ [field]: [] }), `${at}.${field}`);
    await schemas.invalid(forResources({ [field]: ['*', some] }), `${at}.${field}`);
  }
});

test('FlowSchema: resources are lowercase plural names, perhaps with a subresource', async () => {
  for (const name of ['pods', 'nodes/status', 'my-things', '*']) {
    await schemas.valid(forResources({ resources: [name] }));
  }
  for (const name of ['Pods', 'pods/Status', 'pods/', '/status', 'pods/*', '*/scale', 'a b', '']) {
    await schemas.invalid(
      forResources({ resources: ['nodes', name] }),
      'spec.rules[0].resourceRules[0].resources[1]',
    );
  }
});

test('FlowSchema: namespaces are empty only where clusterScope is true', async () => {
  await schemas.valid(forResources({ clusterScope: true, namespaces: [] }));
  await schemas.valid(forResources({ clusterScope: true, namespaces: ['*'] }));
  for (const clusterScope of [false, null]) {
    await schemas.invalid(
      forResources({ clusterScope, namespaces: [] }),
      'spec.rules[0].resourceRules[0].namespaces',
    );
  }
});

test('FlowSchema: status.conditions are written through status, each with its type', async () => {
  const schema = await schemas.create({ metadata: { name: 'with-status' } });
  const condition = {
    type: 'Checked',
    status: 'False',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    reason: 'NotYet',
    message: 'nobody has looked',
  };
  // The server writes one itself, and would write it again.
  const { conditions: told } = schema.status as { conditions: object[] };
  const written = await schemas.update(schema, { status: { conditions: [...told, condition] } }, 'status');
  assert.deepEqual(written.status, { conditions: [...told, condition] });
  const plain = await schemas.update(written, { status: { conditions: [] } });
  assert.deepEqual(plain.status, written.status);
});

test('FlowSchema: the status of a condition is True, False or Unknown, and no two have one type', async () => {
  const schema = await schemas.create({ metadata: { name: 'with-conditions' } });
  const { conditions: told } = schema.status as { conditions: object[] };
  for (const status of ['Maybe', 'true']) {
    await schemas.invalidConditions(schema, [{ type: 'Checked', status }, ...told], 'status');
  }
  const conditions = ['True', 'False', 'Unknown'].map((status) => ({ type: status, status }));
  await schemas.update(schema, { status: { conditions: [...told, ...conditions] } }, 'status');
});

test('FlowSchema: another one with the precedence of exempt does not get its requests', async () => {
  const first = await schemas.create({
    metadata: { name: 'aaa' },
    spec: {
      matchingPrecedence: 1,
      rules: [
        {
          subjects: [{ kind: 'Group', group: { name: '*' } }],
          resourceRules: [
            { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
          ],
        },
      ],
      priorityLevelConfiguration: { name: 'system' },
    },
  });
  const uidOf = async (group: string) => {
    const headers = { 'impersonate-user': 'dave', 'impersonate-group': group };
    return (await http.get('/api/v1/pods', headers)).headers.get('x-orch-pf-flowschema-uid');
  };
  const exempt = await http.get(`${group}/flowschemas/exempt`);
  assert.equal(await uidOf('system:masters'), exempt.body.metadata.uid);
  assert.equal(await uidOf('system:authenticated'), first.metadata.uid);
  await http.delete(`${group}/flowschemas/aaa`);
});

test('PriorityLevelConfiguration: nominalConcurrencyShares is 30 when unspecified, an explicit 0 stays 0', async () => {
  const shares = async (limited: object) =>
    ((await levels.valid({ spec: { limited } })).spec.limited as { nominalConcurrencyShares: number })
      .nominalConcurrencyShares;
  assert.equal(await shares({}), 30);
  assert.equal(await shares({ nominalConcurrencyShares: 0 }), 0);
  assert.equal(await shares({ nominalConcurrencyShares: 5 }), 5);
  await levels.invalid(
    { spec: { limited: { nominalConcurrencyShares: -1 } } },
    'spec.limited.nominalConcurrencyShares',
  );
});

const everything = {
  verbs: ['*'],
  apiGroups: ['*'],
  resources: ['*'],
  clusterScope: true,
  namespaces: ['*'],
};
const named = (name: string, level: string, matchingPrecedence: number) => ({
  metadata: { name },
  spec: {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence,
    rules: [{ subjects: [{ kind: 'User', user: { name: 'carol' } }], resourceRules: [everything] }],
  },
});
/** The uid of the FlowSchema that matches a request of carol. */
const schemaOfCarol = async () => {
  const response = await http.get('/api/v1/pods', { 'impersonate-user': 'carol' });
  return response.headers.get('x-orch-pf-flowschema-uid');
};

test('FlowSchema: the matching one with the lowest matchingPrecedence applies', async () => {
  const later = await schemas.create(named('later', 'system', 70));
  assert.equal(await schemaOfCarol(), later.metadata.uid);
  const sooner = await schemas.create(named('sooner', 'system', 60));
  assert.equal(await schemaOfCarol(), sooner.metadata.uid);
  // Of two with equal precedence the first by name applies.
  const alike = await schemas.create(named('alike', 'system', 60));
  assert.equal(await schemaOfCarol(), alike.metadata.uid);
});

test('FlowSchema: system:authenticated and system:unauthenticated together match every request', async () => {
  const ofGroup = (name: string) => ({ kind: 'Group', group: { name } });
  const rules = (...subjects: object[]) => [{ subjects, resourceRules: [everything] }];
  const schema = named('everybody', 'system', 50);
  const known = await schemas.create({
    ...schema,
    spec: { ...schema.spec, rules: rules(ofGroup('system:authenticated')) },
  });
  const schemaOf = async (user: string) =>
    (await http.get('/api/v1/pods', { 'impersonate-user': user })).headers.get('x-orch-pf-flowschema-uid');
  assert.equal(await schemaOf('dora'), known.metadata.uid);
  assert.notEqual(await schemaOf('system:anonymous'), known.metadata.uid);
  const both = rules(ofGroup('system:authenticated'), ofGroup('system:unauthenticated'));
  const { metadata } = await schemas.update(known, { spec: { rules: both } });
  for (const user of ['dora', 'system:anonymous']) assert.equal(await schemaOf(user), metadata.uid, user);
  await http.delete(`${group}/flowschemas/everybody`);
});

test('FlowSchema: one whose priority level does not exist is ignored and Dangling', async () => {
  const before = await schemaOfCarol();
  const schema = await schemas.create(named('dangling', 'nowhere', 2));
  const dangling = ({ status }: { status: unknown }) =>
    (status as { conditions: { type: string; status: string }[] }).conditions.find(
      ({ type }) => type === 'Dangling',
    )?.status;
  assert.equal(dangling(schema), 'True');
  assert.equal(await schemaOfCarol(), before);
  await levels.create({ metadata: { name: 'nowhere' } });
  for (;;) {
    const { body } = await http.get(`${group}/flowschemas/dangling`);
    if (dangling(body) === 'False') break;
  }
  assert.equal(await schemaOfCarol(), schema.metadata.uid);
});
