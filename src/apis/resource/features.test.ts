import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import type { Features } from '../../kind/features/features.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { resourceclaims } from './resourceclaim-definition.ts';
import { resourceclaimsV1beta2 } from './resourceclaim-v1beta2.ts';
import { resourceslices } from './resourceslice-definition.ts';

const without = (...off: string[]): Features => ({ enabled: (name) => !off.includes(name) });
const contextOf = (features: Features) => ({ dialect: orch, features });
const tolerations = [{ key: 'a', operator: 'Exists' }];

const claim = (request: object) => ({
  spec: { devices: { requests: [{ name: 'r', deviceClassName: 'c', ...request }] } },
});

const requestWithout = (feature: string, request: object) =>
  tryCreate(resourceclaims(contextOf(without(feature))), claim(request)).object.spec.devices.requests?.[0];

test('DRAPrioritizedList off: alternatives are left out', () => {
  const made = requestWithout('DRAPrioritizedList', {
    firstAvailable: [{ name: 's', deviceClassName: 'c' }],
  });
  assert.equal(made?.firstAvailable, undefined);
});

test('DRAAdminAccess off: administrative access is left out, in every version', () => {
  assert.equal(requestWithout('DRAAdminAccess', { adminAccess: true })?.adminAccess, undefined);
  const json = {
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c', adminAccess: true } }] } },
  };
  const { object } = tryCreate(resourceclaimsV1beta2(contextOf(without('DRAAdminAccess'))), json);
  assert.equal(object.spec.devices.requests?.[0]?.exactly?.adminAccess, undefined);
});

test('DRADeviceTaints off: tolerations and taints are left out', () => {
  assert.equal(requestWithout('DRADeviceTaints', { tolerations })?.tolerations, undefined);
});

const slice = {
  spec: {
    driver: 'd',
    pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
    perDeviceNodeSelection: true,
    sharedCounters: [{ name: 's', counters: { c: { value: '1' } } }],
    devices: [
      {
        name: 'd',
        basic: {
          nodeName: 'n',
          taints: [{ key: 'a', effect: 'NoExecute' }],
          consumesCounters: [{ counterSet: 's', counters: { c: { value: '1' } } }],
        },
      },
    ],
  },
};

test('DRAPartitionableDevices off: counters and the places of single devices are left out', () => {
  const { spec } = tryCreate(resourceslices(contextOf(without('DRAPartitionableDevices'))), slice).object;
  assert.deepEqual([spec.sharedCounters, spec.perDeviceNodeSelection], [undefined, undefined]);
  assert.deepEqual(Object.keys(spec.devices?.[0]?.basic ?? {}), ['taints']);
  const untainted = tryCreate(resourceslices(contextOf(without('DRADeviceTaints'))), slice).object.spec;
  assert.equal(untainted.devices?.[0]?.basic?.taints, undefined);
});

test('DRAResourceClaimDeviceStatus off: reports on devices are left out', () => {
  const device = { driver: 'd', pool: 'p', device: 'x' };
  const status = { allocation: { devices: { results: [{ request: 'r', ...device }] } }, devices: [device] };
  const written = (features: Features) =>
    tryUpdate(resourceclaims(contextOf(features)), claim({}), { ...claim({}), status }, 'status').object
      .status;
  assert.equal(written(without('DRAResourceClaimDeviceStatus')).devices, undefined);
  assert.equal(written(everyFeature).devices?.length, 1);
});

test('what an object had before a feature was switched off it keeps', () => {
  const on = resourceclaims(contextOf(everyFeature));
  const off = resourceclaims(contextOf(without('DRADeviceTaints')));
  const old = tryCreate(on, claim({ tolerations })).object;
  const { object } = tryCreate(on, claim({ tolerations }));
  off.strategy.prepareForUpdate?.(object, old, '2030-01-02T03:04:05Z');
  assert.equal(object.spec.devices.requests?.[0]?.tolerations?.length, 1);
});
