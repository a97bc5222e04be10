import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { noEtcd } from './servers-on-etcd.ts';

/** A selection of tests on state that servers share; `npm run test:replicas` runs all. */
const some = [
  'test/registry/create.test.ts',
  'test/apis/services.test.ts',
  'test/registry/watch.test.ts',
  'test/auth/rbac.test.ts',
  'test/crd/conversion.test.ts',
  'test/spec/resourcequota.test.ts',
];

test('some API tests pass on three servers that are used in turn', { skip: noEtcd }, () => {
  // Otherwise it would report to this test run instead of printing.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, ['test/replicas/main.ts', ...some], {
    env,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout);
});
