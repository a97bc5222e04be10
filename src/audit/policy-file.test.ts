// Tests of audit the audit policy file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialects } from '../dialect/index.ts';
import { readPolicy } from './policy-file.ts';

const read = (text: string) =>
  readPolicy(Buffer.from(`apiVersion: audit.orch.io/v1\nkind: Policy\n${text}`), 'p.yaml', dialects.orch);

test('an absent list of a policy rule matches everything', () => {
  const { rules, omitStages, omitManagedFields } = read(`
omitStages: [Panic]
rules:
- level: Request
  resources: [{group: apps, resources: [deployments, "*/scale"]}]
- level: Metadata
  omitManagedFields: true`);
  assert.deepEqual(omitStages, ['Panic']);
  assert.equal(omitManagedFields, false);
  assert.deepEqual(rules[0]!.resources, [
    { group: 'apps', resources: ['deployments', '*/scale'], resourceNames: [] },
  ]);
  assert.deepEqual(rules[1], {
    level: 'Metadata',
    users: [],
    userGroups: [],
    verbs: [],
    resources: [],
    namespaces: [],
    nonResourceURLs: [],
    omitStages: [],
    omitManagedFields: true,
  });
});

test('the API group of a policy is that of the dialect', () => {
  const text = Buffer.from('apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: None}]');
  assert.equal(readPolicy(text, 'p.yaml', dialects.kubernetes).rules.length, 1);
  assert.throws(() => readPolicy(text, 'p.yaml', dialects.orch), {
    message:
      '--audit-policy-file p.yaml: it must begin with "apiVersion: audit.orch.io/v1" and "kind: Policy"',
  });
});

for (const [text, why] of [
  ['rules: []', 'rules: at least one rule is required, such as "rules: [{level: Metadata}]"'],
  ['rules: {level: None}', 'rules: must be a list, not an object'],
  ['rules: [None]', 'rules[0]: must be an object, not "None"'],
  ['rules: [{}]', 'rules[0].level: nothing is not one of None, Metadata, Request, RequestResponse'],
  [
    'rules: [{level: metadata}]',
    'rules[0].level: "metadata" is not one of None, Metadata, Request, RequestResponse',
  ],
  ['rules: [{level: None, user: [a]}]', 'rules[0]: unknown field "user"; did you mean users?'],
  ['rules: [{level: None, users: [1]}]', 'rules[0].users[0]: must be a string, not 1'],
  ['rules: [{level: None, users: a}]', 'rules[0].users: must be a list, not "a"'],
  [
    'rules: [{level: None, omitStages: [Start]}]',
    'rules[0].omitStages[0]: "Start" is not one of RequestReceived, ResponseStarted, ResponseComplete, Panic',
  ],
  [
    'rules: [{level: None, omitManagedFields: maybe}]',
    'rules[0].omitManagedFields: must be true or false, not "maybe"',
  ],
  [
    'rules: [{level: None, nonResourceURLs: [/a], namespaces: [b]}]',
    'rules[0]: a rule cannot have both resources or namespaces and nonResourceURLs; split it',
  ],
  ['rules: [{level: None, nonResourceURLs: [a]}]', 'rules[0].nonResourceURLs[0]: "a" must begin with /'],
  [
    'rules: [{level: None, nonResourceURLs: [/a*/b]}]',
    'rules[0].nonResourceURLs[0]: "/a*/b" has a * before its end',
  ],
  [
    'rules: [{level: None, resources: [{resourceNames: [a]}]}]',
    'rules[0].resources[0].resourceNames: requires resources',
  ],
  [
    'rules: [{level: None, resources: [{group: A}]}]',
    'rules[0].resources[0].group: "A" is not an API group; "" is the core group',
  ],
  ['rules: [{level: None}', /^--audit-policy-file p\.yaml: yaml: /],
  ['kind: Other\nrules: [{level: None}]', /line 3: key "kind" already set in map/],
] as const) {
  test(`an invalid policy is rejected with the path of the error: ${text.replaceAll('\n', ' ')}`, () => {
    const message = typeof why === 'string' ? `--audit-policy-file p.yaml: ${why}` : why;
    assert.throws(() => read(text), { message });
  });
}
