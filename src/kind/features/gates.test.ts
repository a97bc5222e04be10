import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FeatureGates } from './gates.ts';

const on = (settings: Record<string, boolean>) => {
  const gates = new FeatureGates(settings);
  return (...names: Parameters<FeatureGates['enabled']>[0][]) => names.map((name) => gates.enabled(name));
};

test('by default alpha gates are disabled, beta gates as released, stable gates enabled', () => {
  const enabled = on({});
  assert.deepEqual(enabled('CBORServingAndStorage', 'WatchList', 'APIServerIdentity', 'ElasticIndexedJob'), [
    false,
    false,
    true,
    true,
  ]);
});

test('AllAlpha and AllBeta set the gates of their stage that are not set by name', () => {
  const settings = { CBORServingAndStorage: false, AllAlpha: true, AllBeta: false, WatchList: true };
  const enabled = on(settings);
  assert.deepEqual(enabled('CBORServingAndStorage', 'StorageVersionMigrator'), [false, true]);
  assert.deepEqual(enabled('WatchList', 'APIServerIdentity'), [true, false]);
  assert.deepEqual(enabled('ElasticIndexedJob', 'KMSv1'), [true, false]);
});

test('an unknown gate is rejected with a suggestion', () => {
  assert.throws(() => new FeatureGates({ WatchLists: true }), {
    message: 'unrecognized feature gate: WatchLists (did you mean WatchList?)',
  });
  assert.throws(() => new FeatureGates({ Q: true }), /^Error: unrecognized feature gate: Q \(see docs/);
  for (const name of ['', '__proto__', 'constructor']) {
    const settings = Object.fromEntries([[name, true]]);
    assert.throws(() => new FeatureGates(settings), /unrecognized feature gate/);
  }
});

test('SPEC rule 9: a locked gate can only be set to its default', () => {
  assert.throws(() => new FeatureGates({ ElasticIndexedJob: false }), {
    message: 'cannot set feature gate ElasticIndexedJob to false, feature is locked to true; leave it out',
  });
  assert.equal(new FeatureGates({ ElasticIndexedJob: true }).enabled('ElasticIndexedJob'), true);
});

test('SPEC rule 10: setting a stable or deprecated gate warns, others do not', () => {
  assert.deepEqual(new FeatureGates({ KMSv1: true, ExecProbeTimeout: false, WatchList: true }).warnings, [
    'Setting deprecated feature gate KMSv1=true. It will be removed in a future release.',
    'Setting GA feature gate ExecProbeTimeout=false. It will be removed in a future release.',
  ]);
});

test('a setting may have the component prefix of this server', () => {
  assert.equal(new FeatureGates({ 'orch:WatchList': true }).enabled('WatchList'), true);
  assert.throws(() => new FeatureGates({ 'wardle:WatchList': true }), {
    message: 'component not registered: wardle (orch is the only one here)',
  });
});

test('an emulated release has the gates and stages of that release', () => {
  const earlier = (settings: Record<string, boolean> = {}) =>
    new FeatureGates(settings, { release: '1.32', component: 'orch' });
  assert.equal(earlier().enabled('WatchList'), true);
  assert.equal(earlier({ AllBeta: true }).enabled('InPlacePodVerticalScaling'), false);
  assert.equal(earlier({ AllAlpha: true }).enabled('DRADeviceTaints'), false);
  assert.equal([...earlier()].length, 167);
  assert.equal(earlier({ JobSuccessPolicy: false }).enabled('JobSuccessPolicy'), false);
  for (const value of [true, false]) {
    assert.throws(() => earlier({ DRADeviceTaints: value }), {
      message: `cannot set feature gate DRADeviceTaints to ${value}, feature is PreAlpha at emulated version 1.32`,
    });
  }
});

test('in every emulated release gates equal those of kube-apiserver 1.33', () => {
  const recorded: Record<string, Record<string, string>> = JSON.parse(
    readFileSync(new URL('testdata/reference-gates.json', import.meta.url), 'utf8'),
  );
  assert.deepEqual(Object.keys(recorded), ['1.31', '1.32', '1.33']);
  for (const [release, theirs] of Object.entries(recorded)) {
    const ours = [...new FeatureGates({}, { release, component: 'orch' })].map(
      ({ name, stage, enabled }) => [name, `${stage.toUpperCase()} ${enabled ? 'on' : 'off'}`] as const,
    );
    assert.deepEqual(Object.fromEntries(ours), theirs, release);
  }
});
