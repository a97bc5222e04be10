import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { noEtcd } from './servers-on-etcd.ts';

/** A little of everything that servers may disagree about; `npm run test:replicas` runs all. */
const some = [
  'test/registry/create.test.ts',
  'test/apis/services.test.ts',
  'test/registry/watch.test.ts',
  'test/auth/rbac.test.ts',
  'test/crd/conversion.test.ts',
  'test/spec/resourcequota.test.ts',
];

test('some API tests pass on three servers that are used in turn', { skip: noEtcd }, () => {
  // Else it would tell its news to this run of tests, and not to us.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, ['test/replicas/main.ts', ...some], {
    env,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout);
});
