import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { resourceclaims } from './resourceclaim-definition.ts';
import { resourceclaimsV1beta2 } from './resourceclaim-v1beta2.ts';
import { resourceclaimtemplates } from './resourceclaimtemplate.ts';

const context = { dialect: orch, features: everyFeature };
const claims = resourceclaims(context);
const claimsV1beta2 = resourceclaimsV1beta2(context);

const claim = (devices: object) => ({ spec: { devices } });
const asking = (changes: object = {}) =>
  claim({ requests: [{ name: 'r', deviceClassName: 'c', ...changes }] });
const problems = (json: object) => tryCreate(claims, json).problems;
const result = { request: 'r', driver: 'd.example.com', pool: 'p', device: 'x' };
const allocation = { devices: { results: [result] } };
const consumer = { resource: 'pods', name: 'a', uid: 'b' };
const withStatus = (status: object, old: object = {}) => {
  const oldValue = tryUpdate(claims, asking(), { ...asking(), status: old }, 'status').object;
  return claims.subresources.status!.rules!.validateUpdate!(
    tryUpdate(claims, asking(), { ...asking(), status }, 'status').object,
    oldValue,
  ).map(({ field }) => field);
};

test('a request is for exactly one device unless it says otherwise, in every version', () => {
  assert.deepEqual(tryCreate(claims, asking()).object.spec.devices.requests, [
    { name: 'r', deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 },
  ]);
  const exactly = { name: 'r', exactly: { deviceClassName: 'c' } };
  assert.deepEqual(tryCreate(claimsV1beta2, claim({ requests: [exactly] })).object.spec.devices.requests, [
    { name: 'r', exactly: { deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 } },
  ]);
  assert.equal(
    tryCreate(claims, asking({ allocationMode: 'All' })).object.spec.devices.requests?.[0]?.count,
    undefined,
  );
});

test('a request is for a class or for the first of some alternatives', () => {
  const alternatives = { firstAvailable: [{ name: 's', deviceClassName: 'c' }] };
  assert.deepEqual(problems(claim({ requests: [{ name: 'r', ...alternatives }] })), []);
  assert.match(
    problems(claim({ requests: [{ name: 'r' }] }))[0]!,
    /exactly one of `exactly` or `firstAvailable`/,
  );
  assert.match(problems(asking(alternatives))[0]!, /but multiple fields are set/);
});

test('requests have names of their own, a class and a count that fits', () => {
  assert.match(problems(asking({ name: 'A_' }))[0]!, /requests\[0\]\.name: Invalid value/);
  assert.match(
    problems(asking({ count: -1 }))[0]!,
    /exactly\.count: Invalid value: -1: must be greater than zero/,
  );
  assert.match(problems(asking({ allocationMode: 'All', count: 2 }))[0]!, /must not be specified/);
  const twice = claim({
    requests: [asking(), asking()].map(({ spec }) => (spec.devices as { requests: object[] }).requests[0]),
  });
  assert.match(problems(twice)[0]!, /Duplicate value: "r"/);
});

test('constraints and configurations speak of requests that are there', () => {
  const constrained = (requests: string[]) => ({
    spec: {
      devices: { ...asking().spec.devices, constraints: [{ requests, matchAttribute: 'a.example.com/b' }] },
    },
  });
  assert.deepEqual(problems(constrained(['r'])), []);
  assert.match(problems(constrained(['zz']))[0]!, /must be the name of a request in the claim/);
});

test('the spec never changes', () => {
  const { problems: found } = tryUpdate(claims, asking(), asking({ count: 2 }));
  assert.match(found[0]!, /^spec: Invalid value: resource\.ResourceClaimSpec\{.*: field is immutable$/);
});

test('administrative access needs a label on the namespace', () => {
  assert.deepEqual(problems(asking({ adminAccess: true })), [
    'spec.devices.requests[0].adminAccess: Forbidden: admin access to devices requires the `resource.orch.io/admin-access: true` label on the containing namespace',
  ]);
  assert.deepEqual(problems(asking({ adminAccess: false })), []);
});

test('a new claim has no status, and its status no spec', () => {
  const created = tryCreate(claims, { ...asking(), status: { allocation } });
  assert.deepEqual(created.object.status, {});
  const updated = tryUpdate(claims, asking(), { ...asking({ count: 5 }), status: { allocation } }, 'status');
  assert.equal(updated.object.spec.devices.requests?.[0]?.count, 1);
});

test('status: only what is allocated can be reserved and reported on', () => {
  assert.deepEqual(withStatus({ allocation, reservedFor: [consumer] }), []);
  assert.deepEqual(withStatus({ reservedFor: [consumer] }), ['status.reservedFor']);
  assert.deepEqual(withStatus({ allocation, reservedFor: [consumer, consumer] }), [
    'status.reservedFor[1].uid',
  ]);
  const device = { driver: 'd.example.com', pool: 'p', device: 'x' };
  assert.deepEqual(withStatus({ allocation, devices: [device] }), []);
  assert.deepEqual(withStatus({ allocation, devices: [{ ...device, device: 'y' }] }), ['status.devices[0]']);
});

test('status: an allocation stays, or is taken back', () => {
  const other = { devices: { results: [{ ...result, device: 'y' }] } };
  assert.deepEqual(withStatus({ allocation: other }, { allocation }), ['status.allocation']);
  assert.deepEqual(withStatus({}, { allocation }), []);
});

test('a template lends labels and annotations, and never changes', () => {
  const templates = resourceclaimtemplates(context);
  const template = (metadata: object) => ({ spec: { metadata, spec: asking().spec } });
  assert.deepEqual(tryCreate(templates, template({ labels: { a: 'b' } })).problems, []);
  assert.deepEqual(tryCreate(templates, template({ name: 'n' })).problems, [
    'spec.metadata.name: Forbidden: cannot be set',
  ]);
  const { problems: found } = tryUpdate(templates, template({}), template({ labels: { a: 'b' } }));
  assert.match(found[0]!, /^spec: Invalid value: .*: field is immutable$/);
});

test("a claim has no generation but the client's, which is validated", () => {
  const created = (generation?: number) =>
    tryCreate(claims, { ...asking(), metadata: { ...(generation !== undefined && { generation }) } });
  assert.equal(created().object.metadata.generation, undefined);
  assert.equal(created(7).object.metadata.generation, 7);
  assert.deepEqual(created(-1).problems, [
    'metadata.generation: Invalid value: -1: must be greater than or equal to 0',
  ]);
});
