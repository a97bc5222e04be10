// The shared libraries that programs are linked with.
import { execFileSync } from 'node:child_process';

/** Their paths, with that of the dynamic loader. */
export function sharedLibraries(...programs: readonly string[]): string[] {
  const paths = programs.flatMap((program) =>
    [...execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g)].map(
      ([, path]) => path!,
    ),
  );
  return [...new Set(paths)].sort();
}
