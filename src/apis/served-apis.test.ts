import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Dialect, kubernetes, orch } from '../dialect/index.ts';
import type { ResourceDefinition } from '../kind/definition.ts';
import { everyFeature } from '../kind/features/everything.fixture.ts';
import type { Features } from '../kind/features/features.ts';
import { FeatureGates } from '../kind/features/gates.ts';
import { builtinKinds } from './index.ts';
import { type RuntimeConfig, ServedApis } from './served-apis.ts';

const names: readonly [group: string, version: string, plural: string][] = [
  ['', 'v1', 'pods'],
  ['batch', 'v1', 'jobs'],
  ['batch', 'v1', 'cronjobs'],
  ['resource', 'v1beta1', 'deviceclasses'],
  ['resource', 'v1beta1', 'resourceclaims'],
  ['resource', 'v1alpha3', 'deviceclasses'],
  ['certificates', 'v1beta1', 'clustertrustbundles'],
];

function kind(group: string, version: string, plural: string, dialect = orch): ResourceDefinition {
  const all = builtinKinds({ dialect, features: everyFeature });
  return all.find((each) => each.group === group && each.version === version && each.plural === plural)!;
}

const kindsIn = (dialect: Dialect) =>
  names.map(([group, version, plural]) => kind(group, version, plural, dialect));
const kinds = kindsIn(orch);
const pods = kinds[0]!;

function served(config: RuntimeConfig, features: Features = everyFeature, dialect = orch): string[] {
  const served = kindsIn(dialect);
  const apis = new ServedApis(config, served, dialect, features);
  return served.filter((each) => apis.serves(each)).map(({ version, plural }) => `${version}/${plural}`);
}

const stable = ['v1/pods', 'v1/jobs', 'v1/cronjobs'];
const beta = ['v1beta1/deviceclasses', 'v1beta1/resourceclaims', 'v1beta1/clustertrustbundles'];

test('stable versions are served, alpha and beta are not', () => {
  assert.deepEqual(served({}), stable);
});

test('levels are turned on and off as a whole, more exactly than api/all', () => {
  assert.deepEqual(served({ 'api/beta': true }), [...stable, ...beta].sort(byKinds));
  assert.deepEqual(served({ 'api/all': true, 'api/beta': false }), [...stable, 'v1alpha3/deviceclasses']);
  assert.deepEqual(served({ 'api/ga': false, 'api/alpha': true }), ['v1alpha3/deviceclasses']);
  assert.deepEqual(served({ 'api/legacy': false }), stable);
});

function byKinds(a: string, b: string): number {
  const index = (name: string) => kinds.findIndex(({ version, plural }) => `${version}/${plural}` === name);
  return index(a) - index(b);
}

test('a group version is set more exactly than its level, and a resource more exactly than its version', () => {
  const oneOff = { 'resource.orch.io/v1beta1': true, 'resource.orch.io/v1beta1/deviceclasses': false };
  assert.deepEqual(served(oneOff), [...stable, 'v1beta1/resourceclaims']);
  const oneOn = { 'api/all': true, 'api/beta': false, 'batch/v1': false, 'batch/v1/jobs': true };
  assert.deepEqual(served(oneOn), ['v1/pods', 'v1/jobs', 'v1alpha3/deviceclasses']);
  assert.deepEqual(served({ 'resource.orch.io/v1beta1/deviceclasses': true }), [...stable, beta[0]]);
});

test('core is written v1 or api/v1', () => {
  for (const off of ['v1', 'api/v1', 'v1/pods', 'api/v1/pods']) {
    assert.deepEqual(served({ [off]: false }), ['v1/jobs', 'v1/cronjobs'], off);
  }
});

test('what needs a gate is not served without it, whatever the configuration says', () => {
  const all = { 'api/all': true };
  assert.ok(!served(all, new FeatureGates({})).includes('v1beta1/clustertrustbundles'));
  assert.ok(served(all, new FeatureGates({ AllBeta: true })).includes('v1beta1/clustertrustbundles'));
  assert.deepEqual(served({}, everyFeature), stable);
  const parts = (on: boolean) =>
    new ServedApis({}, kinds, orch, new FeatureGates({ InPlacePodVerticalScaling: on }));
  assert.equal(parts(true).servesSubresource(pods, 'resize'), true);
  assert.equal(parts(false).servesSubresource(pods, 'resize'), false);
  assert.equal(parts(false).servesSubresource(pods, 'status'), true);
});

test('kinds of devices need their gate in the dialect of the specification, not in the other', () => {
  const all = { 'api/all': true };
  const none = new FeatureGates({});
  const classes = 'v1beta1/deviceclasses';
  assert.ok(!served(all, none).includes(classes));
  assert.ok(served(all, new FeatureGates({ DynamicResourceAllocation: true })).includes(classes));
  assert.ok(served(all, none, kubernetes).includes(classes));
});

test('groups go by the names of the dialect', () => {
  assert.deepEqual(served({ 'resource.k8s.io/v1beta1/deviceclasses': true }, everyFeature, kubernetes), [
    ...stable,
    'v1beta1/deviceclasses',
  ]);
  assert.throws(() => served({ 'resource.k8s.io/v1beta1': true }), {
    message: 'unknown api groups resource.k8s.io (did you mean resource.orch.io?)',
  });
});

test('what does not exist is refused', () => {
  assert.throws(() => served({ 'nope/v1': true, 'also/v1/things': false }), {
    message: 'unknown api groups also,nope',
  });
  assert.throws(() => served({ 'api/nope': true }), {
    message: 'unknown api groups api (did you mean apps?)',
  });
  assert.throws(() => served({ 'batch/v2': true }), {
    message: 'group version batch/v2 that has not been registered; available: batch/v1',
  });
  for (const key of ['v2', 'batch', '', 'a/b/c/d', 'constructor']) {
    assert.throws(
      () => served({ [key]: true }),
      new RegExp(`^Error: runtime-config invalid key ${key}; use`),
    );
  }
  assert.throws(() => served({ 'api/all': false }), /^Error: invalid key with only api\/all=false/);
  assert.deepEqual(served({ 'api/all': false, v1: true }), ['v1/pods']);
});

test('a version that does not exist may be turned off, of a group that does', () => {
  assert.deepEqual(served({ 'batch/v2': false }), stable);
  assert.throws(() => served({ 'nope/v1': false }), { message: 'unknown api groups nope' });
});

test('as of an earlier release what came later is not served, and cannot be asked for', () => {
  const addresses = kind('networking', 'v1', 'ipaddresses');
  const policies = kind('networking', 'v1', 'networkpolicies');
  const classes = kind('resource', 'v1beta2', 'deviceclasses');
  const all = [addresses, policies, classes];
  const in132 = (config: RuntimeConfig) => new ServedApis(config, all, orch, everyFeature, '1.32');
  const everything = in132({ 'api/all': true });
  assert.deepEqual(
    all.map((each) => everything.serves(each)),
    [false, true, false],
  );
  assert.deepEqual(
    all.map((each) => new ServedApis({ 'api/all': true }, all, orch, everyFeature).serves(each)),
    [true, true, true],
  );
  assert.throws(() => in132({ 'resource.orch.io/v1beta2': true }), {
    message:
      'cannot enable version resource.orch.io/v1beta2 in runtime-config because all the resources have been introduced after the current version 1.32',
  });
  assert.throws(() => in132({ 'networking.orch.io/v1/ipaddresses': true }), {
    message:
      'cannot enable resource networking.orch.io/v1, Resource=ipaddresses in runtime-config because it is introduced at 1.33 after the current version 1.32',
  });
  assert.equal(in132({ 'networking.orch.io/v1': true }).serves(policies), true);
});

test('a version that earlier releases had is no mistake but comes with a warning', () => {
  const old = {
    'batch/v1beta1': true,
    'events.orch.io/v1beta1': false,
    'extensions/v1beta1/ingresses': true,
  };
  assert.deepEqual(served(old), stable);
  assert.deepEqual(new ServedApis(old, kinds, orch, everyFeature).warnings, [
    'batch/v1beta1 is no longer served',
    'extensions/v1beta1 is no longer served',
  ]);
});

test('versions whose names the release has forgotten are known in dialect orch', () => {
  const old = { 'batch/v2alpha1': true, 'settings.orch.io/v1alpha1/podpresets': true };
  assert.deepEqual(served(old), stable);
  assert.deepEqual(new ServedApis(old, kinds, orch, everyFeature).warnings, [
    'batch/v2alpha1 is no longer served',
    'settings.orch.io/v1alpha1 is no longer served',
  ]);
  assert.throws(() => served({ 'batch/v2alpha1': true }, everyFeature, kubernetes), {
    message: 'group version batch/v2alpha1 that has not been registered; available: batch/v1',
  });
  assert.throws(() => served({ 'batch/v2beta9': true }), /^Error: group version batch\/v2beta9 that has not/);
});

test('versions that are only sent to webhooks are known, and nothing is served for them', () => {
  for (const dialect of [orch, kubernetes]) {
    const sent = [dialect.apiVersion('admission', 'v1beta1'), dialect.apiVersion('imagepolicy', 'v1alpha1')];
    const config = Object.fromEntries(sent.map((version) => [version, true]));
    assert.deepEqual(served(config, everyFeature, dialect), stable);
    assert.deepEqual(new ServedApis(config, kinds, dialect, everyFeature).warnings, []);
  }
});

test('a resource that its version does not have changes nothing', () => {
  assert.deepEqual(served({ 'batch/v1/nosuch': true }), stable);
});
