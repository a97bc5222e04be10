import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import type { Features } from '../../kind/features/features.ts';
import { FeatureGates } from '../../kind/features/gates.ts';
import { deployments } from '../apps/deployment-definition.ts';
import { cronjobs } from '../batch/cronjob-definition.ts';
import { tryCreate } from '../try-rules.ts';
import { dropDisabledPodFields, dropDisabledPodStatus } from './pod-gates.ts';
import type { PodSpec } from './pod-spec.ts';

const released = new FeatureGates({});
const none: Features = { enabled: () => false };
const gated = (): PodSpec => ({
  containers: [
    { name: 'c', image: 'i', resources: { claims: [{ name: 'r' }] }, lifecycle: { stopSignal: 'SIGTERM' } },
  ],
  resourceClaims: [{ name: 'r', resourceClaimName: 'x' }],
  resources: { limits: { cpu: '1' } },
  hostUsers: false,
  securityContext: { supplementalGroupsPolicy: 'Strict', seLinuxChangePolicy: 'Recursive' },
});

test('what is not on by default is dropped from a spec, and what is stays', () => {
  const spec = gated();
  dropDisabledPodFields(spec, undefined, released);
  assert.deepEqual(spec, {
    containers: [{ name: 'c', image: 'i', resources: {} }],
    hostUsers: false,
    securityContext: { supplementalGroupsPolicy: 'Strict', seLinuxChangePolicy: 'Recursive' },
  });
  dropDisabledPodFields(spec, undefined, none);
  assert.deepEqual(spec, { containers: [{ name: 'c', image: 'i', resources: {} }], securityContext: {} });
});

test('what was there before stays', () => {
  const spec = gated();
  dropDisabledPodFields(spec, gated(), none);
  assert.deepEqual(spec, gated());
});

test('a status loses what belongs to features that are off', () => {
  const status = {
    observedGeneration: 3,
    resourceClaimStatuses: [{ name: 'r' }],
    conditions: [{ type: 'Ready', status: 'True', observedGeneration: 3 }],
  };
  dropDisabledPodStatus(status, {}, released);
  assert.deepEqual(status, { conditions: [{ type: 'Ready', status: 'True' }] });
});

test('templates lose it too, wherever they lie', () => {
  const context = { dialect: orch, features: released };
  const labels = { a: 'b' };
  const template = { metadata: { labels }, spec: gated() };
  const deployment = { spec: { selector: { matchLabels: labels }, template } };
  assert.equal(tryCreate(deployments(context), deployment).object.spec.template.spec.resources, undefined);
  const jobTemplate = { spec: { template: { spec: { ...gated(), restartPolicy: 'Never' } } } };
  const { object } = tryCreate(cronjobs(context), { spec: { schedule: '* * * * *', jobTemplate } });
  assert.equal(object.spec.jobTemplate.spec.template.spec.resourceClaims, undefined);
});
