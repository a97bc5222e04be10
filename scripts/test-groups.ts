// Decides which test files share a process, and which run in a process of their own.
import { sep } from 'node:path';

/** Starting a process, loading the modules and compiling them takes longer than most tests. */
const sharedFolders = [
  'src',
  'console',
  'test/admission',
  'test/aggregation',
  'test/apis',
  'test/audit',
  'test/auth',
  'test/controllers',
  'test/crd',
  'test/flowcontrol',
  'test/http',
  'test/registry',
  'test/serializers',
  'test/simulation',
  'test/spec',
];
/** Tests that check their own process, or start others. */
const isolatedPaths = [
  'src/store/etcd',
  'src/store/lmdb/owner.test.ts',
  'test/http/hostile.test.ts',
  'test/simulation/many-nodes.test.ts',
];

const isUnder = (relativePath: string, paths: readonly string[]) =>
  paths.some((path) => relativePath.startsWith(`${sep}${path.replaceAll('/', sep)}`));

export interface TestGroups {
  /** The files of each shared process. */
  readonly shared: readonly (readonly string[])[];
  readonly isolated: readonly string[];
}

export function groupTestFiles(root: string, files: readonly string[], processes: number): TestGroups {
  const shareable = files.filter((file) => {
    const relativePath = file.slice(root.length);
    return isUnder(relativePath, sharedFolders) && !isUnder(relativePath, isolatedPaths);
  });
  const filesOf = (process: number) => shareable.filter((_, index) => index % processes === process);
  return {
    shared: Array.from({ length: processes }, (_, process) => filesOf(process)).filter(
      (group) => group.length > 0,
    ),
    isolated: files.filter((file) => !shareable.includes(file)),
  };
}
