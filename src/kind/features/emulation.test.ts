import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes, orch } from '../../dialect/index.ts';
import { minCompatibilityRelease, parseEmulatedRelease } from './emulation.ts';

test('an emulated version may name its component, and defaults to this release', () => {
  assert.equal(parseEmulatedRelease('', orch), '1.33');
  for (const text of ['1.32', 'v1.32', 'orch=1.32']) assert.equal(parseEmulatedRelease(text, orch), '1.32');
  assert.equal(parseEmulatedRelease(`${kubernetes.componentName}=1.31`, kubernetes), '1.31');
});

test('an unsupported or invalid version is rejected with the message of upstream', () => {
  for (const [text, message] of [
    ['1.30', 'emulation version 1.30 is not between [1.31, 1.33.0]'],
    ['1.34', 'emulation version 1.34 is not between [1.31, 1.33.0]'],
    ['2.32', 'emulation version 2.32 is not between [1.31, 1.33.0]'],
    ['x', 'could not parse "x" as version'],
    ['1', 'could not parse "1" as version'],
    ['1.32.1', 'patch version not allowed, got: orch=1.32.1'],
    ['wardle=1.32', 'component not registered: wardle'],
  ] as const) {
    assert.throws(() => parseEmulatedRelease(text, orch), { message });
  }
});

test('the minimum compatibility version is the previous release, within the supported ones', () => {
  assert.deepEqual(['1.33', '1.32', '1.31'].map(minCompatibilityRelease), ['1.32', '1.31', '1.31']);
});
