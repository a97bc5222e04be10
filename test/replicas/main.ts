// npm run test:replicas: runs the API tests on three servers that share an etcd with three members, and then replaces servers
// under load; see README.md. Arguments are paths: only the test files under them run.
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { runTestFiles } from '../../scripts/run-test-files.ts';
import { findEtcd, TestEtcd } from '../../src/store/etcd/etcd.fixture.ts';
import { excludedTests } from './excluded-tests.ts';

/** The folders of test/ whose tests take their server from `support/servers.ts`. */
const folders = [
  ...['admission', 'aggregation', 'apis', 'audit', 'auth', 'controllers', 'crd', 'flowcontrol', 'http'],
  ...['registry', 'serializers', 'server', 'spec', 'workers'],
];

async function main(): Promise<void> {
  const found = findEtcd();
  if ('missing' in found) {
    console.log(`${'!'.repeat(20)} REPLICAS SKIPPED: ${found.missing} ${'!'.repeat(20)}`);
    return;
  }
  const paths = process.argv.slice(2).map((path) => resolve(path));
  const files = folders
    .flatMap((folder) => globSync(`test/${folder}/*.test.ts`))
    .filter((file) => !excludedTests.some((each) => each.file === file && each.test === undefined))
    .concat('test/replicas/rolling-restart.test.ts')
    .map((file) => resolve(file))
    .filter(
      (file) => paths.length === 0 || paths.some((path) => file === path || file.startsWith(`${path}/`)),
    )
    .sort();
  const members = await TestEtcd.startMembers(found.program, 3);
  try {
    process.env.ORCH_TEST_REPLICAS = members.map(({ url }) => url).join(',');
    process.env.ORCH_RESTART_ROUNDS ??= '5';
    await runTestFiles(files, { passed: 0, failed: 0 }, { excluded: excludedTests.map(toExcluded) });
  } finally {
    await Promise.all(members.map((member) => member.stop()));
  }
}

function toExcluded({ file, test, reason }: (typeof excludedTests)[number]) {
  if (test === undefined) return { name: /^(?!)/, reason: `${file}: ${reason}` };
  const escaped = test.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return { name: new RegExp(`(^| )${escaped}$`), reason: `${file}: ${test}: ${reason}` };
}

await main();
