import { ask, changed, get, type JsonObject, post, put, subject } from '../case.ts';
import { leases, object } from './objects.ts';

const lease = (spec: JsonObject) => post(leases('?dryRun=All'), object('a', { spec }));

export const leaseRules = subject('leases', [
  ask(
    'keep times to the microsecond',
    [
      '2024-01-02T03:04:05.678901Z',
      '2024-01-02T03:04:05Z',
      '2024-01-02T03:04:05.678901+02:00',
      '2024-01-02T03:04:05.6Z',
      '2024-01-02T03:04:05.678901234Z',
      '0001-01-01T00:00:00.000000Z',
      '2024-01-02T03:04:05,678901Z',
    ].map((renewTime) => lease({ renewTime, acquireTime: renewTime })),
    lease({ renewTime: null, holderIdentity: null }),
  ),
  ask(
    'values that are not allowed',
    [0, -1, 1].map((leaseDurationSeconds) => lease({ leaseDurationSeconds })),
    [-1, 0, 1].map((leaseTransitions) => lease({ leaseTransitions })),
    lease({ holderIdentity: '' }),
    lease({ holderIdentity: 'any ä text' }),
    lease({ strategy: 'OldestEmulationVersion' }),
    lease({ strategy: 'Nope' }),
    lease({ strategy: 'example.com/fine' }),
    lease({ preferredHolder: 'x' }),
    lease({ preferredHolder: 'x', strategy: 'OldestEmulationVersion' }),
    lease({ preferredHolder: '' }),
  ),
  ask(
    'an update is checked and stored, and a PUT may create',
    put(leases('a'), object('a', { spec: { holderIdentity: 'x' } }), { as: 'a' }),
    put(leases('a'), changed('a', { spec: { holderIdentity: 'y', leaseTransitions: 1 } })),
    put(leases('a'), changed('a', { spec: { leaseDurationSeconds: 0 } })),
    put(leases('a'), object('a', { spec: { leaseDurationSeconds: -1 } })),
    put(leases('a'), object('a')),
    get(leases('a')),
  ),
]);
