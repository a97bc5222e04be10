import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Service } from '../../apis/core/service.ts';
import type { IpFamily } from '../../base/ip-address.ts';
import { orch } from '../../dialect/index.ts';
import { fieldErrorBody } from '../../errors/field-error.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { addressRules } from '../../kind/meta/address-rules.ts';
import { initIpFamilyFields } from './ip-families.ts';

const rules = addressRules({ dialect: orch, features: everyFeature });

type Json = Parameters<typeof Service.decode>[0];

function service(spec: object) {
  const { object } = Service.decode({ metadata: { name: 'a' }, spec } as Json);
  Service.applyDefaults?.(object);
  return object;
}

function settle(spec: object, cluster: IpFamily[], before?: object) {
  const object = service(spec);
  const errors = initIpFamilyFields(object, before && service(before), cluster, rules);
  const { ipFamilies, ipFamilyPolicy, clusterIPs } = object.spec;
  return {
    problems: errors.map((error) => `${error.field}: ${fieldErrorBody(error)}`),
    ipFamilies,
    ipFamilyPolicy,
    clusterIPs,
  };
}

const one: IpFamily[] = ['IPv4'];
const two: IpFamily[] = ['IPv6', 'IPv4'];

test('a Service without ipFamilyPolicy gets the first family of the cluster', () => {
  assert.partialDeepStrictEqual(settle({}, one), { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' });
  assert.partialDeepStrictEqual(settle({}, two), { ipFamilies: ['IPv6'], ipFamilyPolicy: 'SingleStack' });
});

test('PreferDualStack gets the available families, RequireDualStack needs both', () => {
  const prefers = { ipFamilyPolicy: 'PreferDualStack' };
  assert.deepEqual(settle(prefers, one).ipFamilies, ['IPv4']);
  assert.deepEqual(settle(prefers, two).ipFamilies, ['IPv6', 'IPv4']);
  assert.deepEqual(settle({ ...prefers, ipFamilies: ['IPv4'] }, two).ipFamilies, ['IPv4', 'IPv6']);
  assert.deepEqual(settle({ ipFamilyPolicy: 'RequireDualStack' }, one).problems, [
    'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
  ]);
});

test('a given clusterIP determines the family', () => {
  const asked = { clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9'] };
  assert.deepEqual(settle(asked, two).ipFamilies, ['IPv4']);
  assert.match(
    settle({ clusterIP: 'fd00::1', clusterIPs: ['fd00::1'] }, one).problems[0]!,
    /IPv6 is not configured/,
  );
  assert.match(settle({ ipFamilies: ['IPv6'] }, one).problems[0]!, /not configured on this cluster/);
});

test('a headless Service without selector may have both families in any cluster', () => {
  const headless = { clusterIP: 'None', clusterIPs: ['None'] };
  assert.partialDeepStrictEqual(settle(headless, one), {
    ipFamilies: ['IPv4', 'IPv6'],
    ipFamilyPolicy: 'RequireDualStack',
  });
  assert.deepEqual(settle({ ...headless, ipFamilyPolicy: 'SingleStack' }, one).ipFamilies, ['IPv4']);
  assert.deepEqual(settle({ ...headless, selector: { a: 'b' } }, one).ipFamilies, ['IPv4']);
});

test('an unrelated update does not add a second family under PreferDualStack', () => {
  const before = {
    clusterIP: '10.0.0.9',
    clusterIPs: ['10.0.0.9'],
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'PreferDualStack',
  };
  assert.deepEqual(settle({ ...before, selector: { a: 'b' } }, two, before).ipFamilies, ['IPv4']);
  const required = { ...before, ipFamilyPolicy: 'RequireDualStack' };
  assert.deepEqual(settle(required, two, before).ipFamilies, ['IPv4', 'IPv6']);
});

test('an update without families keeps them, and drops the second only for SingleStack', () => {
  const before = {
    clusterIP: 'fd00::1',
    clusterIPs: ['fd00::1', '10.0.0.9'],
    ipFamilies: ['IPv6', 'IPv4'],
    ipFamilyPolicy: 'PreferDualStack',
  };
  const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy } = before;
  const kept = settle({ clusterIP, clusterIPs }, two, before);
  assert.deepEqual(kept, { clusterIPs, ipFamilies, ipFamilyPolicy, problems: [] });
  assert.partialDeepStrictEqual(settle({ ...before, ipFamilyPolicy: 'SingleStack' }, two, before), {
    ipFamilies: ['IPv6'],
    clusterIPs: ['fd00::1'],
  });
  assert.deepEqual(settle({ ...before, ipFamilies: ['IPv6'] }, two, before).problems, [
    'spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be \'SingleStack\' to release the secondary IP family',
  ]);
});
