import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deviceDefaults, deviceFlags } from '../../src/cli/device/settings.ts';
import { flagRows } from './flag-rows.ts';
import { runSteps, stepsIn } from './run-steps.ts';

const page = 'docs/reference/device.md';
const withDevices = [
  ...['--feature-gates', 'DynamicResourceAllocation=true'],
  ...['--runtime-config', 'resource.orch.io/v1beta1=true'],
];

test('docs/reference/device.md has every flag of orch device with its meaning, and no other', () => {
  assert.deepEqual(flagRows.on(readFileSync(page, 'utf8')), flagRows.of(deviceFlags, deviceDefaults));
});

test('docs/reference/device.md shows what its commands print', () => runSteps(stepsIn(page), withDevices));
