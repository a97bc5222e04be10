import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodSpec } from '../../../apis/core/pod-spec.ts';
import { orch } from '../../../dialect/index.ts';
import { findViolations } from './checks.ts';
import {
  effectiveMinorVersion,
  formatStandard,
  isAtMostAsStrict,
  policyFromLabels,
  validatePolicyLabels,
} from './policy.ts';

const circumstances = { dialect: orch, trustsUserNamespaces: false };
const told = (
  spec: object,
  { level = 'baseline' as 'baseline' | 'restricted', minor = 33, annotations = {}, trusts = false } = {},
) =>
  findViolations({ annotations, spec: spec as PodSpec }, level, minor, {
    ...circumstances,
    trustsUserNamespaces: trusts,
  }).map(({ reason, detail }) => `${reason} (${detail})`);
const container = (securityContext: object, name = 'c') => ({ name, image: 'i', securityContext });
const plain = { containers: [{ name: 'c', image: 'i' }] };

test('privileged and hostProcess are found in all containers', () => {
  assert.deepEqual(
    told({
      initContainers: [container({ privileged: true }, 'i')],
      containers: [container({ privileged: true }, 'a')],
      ephemeralContainers: [container({ privileged: true }, 'e')],
    }),
    ['privileged (containers "i", "a", "e" must not set securityContext.privileged=true)'],
  );
  const host = { windowsOptions: { hostProcess: true } };
  assert.deepEqual(told({ securityContext: host, containers: [container(host)] }), [
    'hostProcess (pod and container "c" must not set securityContext.windowsOptions.hostProcess=true)',
  ]);
});

test('a pod with a user namespace (hostUsers false) may run as root and unmask /proc if that is trusted', () => {
  const spec = {
    hostUsers: false,
    securityContext: { runAsUser: 0, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      container({
        procMount: 'Unmasked',
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      }),
    ],
  };
  assert.deepEqual(told(spec, { level: 'restricted', trusts: true }), []);
  assert.deepEqual(told(spec, { level: 'restricted' }), [
    'procMount (container "c" must not set securityContext.procMount to "Unmasked")',
    'runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true)',
    'runAsUser=0 (pod must not set runAsUser=0)',
  ]);
});

test('each version of a level has the checks of its release', () => {
  const reasons = (minor: number) =>
    told(plain, { level: 'restricted', minor }).map((text) => text.replace(/ \(.*/, ''));
  assert.deepEqual(reasons(7), ['runAsNonRoot != true']);
  assert.deepEqual(reasons(8), ['allowPrivilegeEscalation != false', 'runAsNonRoot != true']);
  assert.deepEqual(reasons(19), [...reasons(8), 'seccompProfile']);
  assert.deepEqual(reasons(22), [
    'allowPrivilegeEscalation != false',
    'unrestricted capabilities',
    'runAsNonRoot != true',
    'seccompProfile',
  ]);
});

test('old versions read the seccomp profile from the annotation', () => {
  const annotations = { [orch.annotations.podSeccomp]: 'unconfined' };
  assert.deepEqual(told(plain, { annotations, minor: 18 }), [
    `seccompProfile (forbidden annotation ${orch.annotations.podSeccomp}="unconfined")`,
  ]);
  assert.deepEqual(told(plain, { annotations }), []);
});

test('labels set the levels, and warn defaults to enforce', () => {
  const policy = (labels: Record<string, string>) => {
    const { enforce, audit, warn } = policyFromLabels(new Map(Object.entries(labels)), '');
    return [enforce, audit, warn].map(formatStandard);
  };
  assert.deepEqual(policy({}), ['privileged:latest', 'privileged:latest', 'privileged:latest']);
  assert.deepEqual(policy({ enforce: 'baseline', 'enforce-version': 'v1.20', audit: 'restricted' }), [
    'baseline:v1.20',
    'restricted:latest',
    'baseline:v1.20',
  ]);
  assert.deepEqual(policy({ enforce: 'strange', 'warn-version': 'v1.2', 'audit-version': '?' }), [
    'restricted:latest',
    'privileged:latest',
    'restricted:v1.2',
  ]);
});

test('a label must have a known level and a version', () => {
  const fields = (labels: Record<string, string>) =>
    validatePolicyLabels(new Map(Object.entries(labels)), 'p/').map(({ field }) => field);
  assert.deepEqual(fields({ 'p/enforce': 'x', 'p/warn-version': 'v1.01', 'p/audit': 'baseline' }), [
    'metadata.labels[p/enforce]',
    'metadata.labels[p/warn-version]',
  ]);
  assert.deepEqual(fields({ 'p/enforce-version': 'v1.0', 'p/audit-version': 'latest' }), []);
});

test('a future version is evaluated as latest', () => {
  assert.equal(effectiveMinorVersion({ level: 'baseline', version: 'v1.99' }, 33), 33);
  assert.equal(effectiveMinorVersion({ level: 'baseline', version: 'v1.5' }, 33), 5);
});

test('isAtMostAsStrict compares the levels and versions of a namespace before and after', () => {
  const of = (level: 'privileged' | 'baseline' | 'restricted', version = 'latest') => ({ level, version });
  assert.ok(isAtMostAsStrict(of('baseline'), of('restricted')));
  assert.ok(isAtMostAsStrict(of('privileged', 'v1.1'), of('restricted')));
  assert.ok(!isAtMostAsStrict(of('baseline', 'v1.1'), of('restricted')));
  assert.ok(!isAtMostAsStrict(of('restricted'), of('baseline')));
});
