// Tests of the arguments of `orch blame`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandError } from '../command.ts';
import { readBlameArgs } from './settings.ts';

test('KIND NAME and KIND/NAME name an object', () => {
  const expected = { kind: 'deploy', name: 'web', settings: { output: 'yaml' } };
  assert.deepEqual(readBlameArgs(['deploy', 'web']), expected);
  assert.deepEqual(readBlameArgs(['deploy/web']), expected);
});

test('flags may be anywhere and have shorthands', () => {
  const { kind, name, settings } = readBlameArgs(['-n', 'shop', 'deploy', '-ojson', 'web', '-s=http://x']);
  assert.deepEqual([kind, name], ['deploy', 'web']);
  assert.deepEqual(settings, { output: 'json', namespace: 'shop', server: 'http://x' });
});

test('missing and extra arguments are rejected', () => {
  for (const args of [[], ['deploy'], ['deploy/'], ['/web']]) {
    assert.throws(() => readBlameArgs(args), /^Error: KIND and NAME are required: orch blame KIND NAME/);
  }
  assert.throws(() => readBlameArgs(['deploy', 'a', 'b']), {
    constructor: CommandError,
    message: 'unexpected argument "b": only one object is allowed',
  });
  assert.throws(() => readBlameArgs(['deploy/a', 'b']), CommandError);
  assert.throws(() => readBlameArgs(['deploy', 'a', '-o', 'wide']), {
    message: '--output: "wide" is not one of yaml, json',
  });
  assert.throws(() => readBlameArgs(['deploy', 'a', '-n', '']), {
    message: '--namespace: must not be empty',
  });
});
