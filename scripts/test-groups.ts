// Which test files run in a process of their own, and which share one.
import { sep } from 'node:path';

/** Tests of small parts: to begin a process, and to load what they test, takes longer than they do. */
const together = ['src', 'test/spec'];
/** They look at their process, or at others' that they begin. */
const apart = ['src/store/etcd', 'src/store/lmdb/owner.test.ts'];

const isUnder = (within: string, paths: readonly string[]) =>
  paths.some((path) => within.startsWith(`${sep}${path.replaceAll('/', sep)}`));

export interface Groups {
  readonly together: readonly (readonly string[])[];
  readonly apart: readonly string[];
}

/** `atOnce` processes share what can be shared. */
export function grouped(root: string, files: readonly string[], atOnce: number): Groups {
  const sharing = files.filter((file) => {
    const within = file.slice(root.length);
    return isUnder(within, together) && !isUnder(within, apart);
  });
  const nth = (n: number) => sharing.filter((_, index) => index % atOnce === n);
  return {
    together: Array.from({ length: atOnce }, (_, n) => nth(n)).filter((group) => group.length > 0),
    apart: files.filter((file) => !sharing.includes(file)),
  };
}
