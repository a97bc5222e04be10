// Settings of glibc's malloc, which holds buffers. By default it raises the size from which it returns freed memory to the
// operating system at once, so that a burst of large requests leaves a fragmented heap behind.
import { thisProgram } from './this-program.ts';

export const mallocSettings: Readonly<Record<string, string>> = {
  MALLOC_MMAP_THRESHOLD_: '16384',
  MALLOC_TRIM_THRESHOLD_: '131072',
  // Threads share heaps: a thread that ends leaves its heap behind.
  MALLOC_ARENA_MAX: '2',
};

/**
 * glibc reads its settings when a program starts, so this replaces the process by one that has them, unless the user has set
 * one, or another program holds a channel to this process. It then runs from the beginning.
 */
export function ensureMallocSettings(): void {
  const { platform, env, execPath, execArgv, argv, channel } = process;
  const [, ...script] = thisProgram();
  if (
    platform !== 'linux' ||
    channel !== undefined ||
    Object.keys(mallocSettings).some((name) => name in env)
  )
    return;
  try {
    // Older versions of Node lack it.
    process.execve?.(execPath, [execPath, ...execArgv, ...script, ...argv.slice(2)], {
      ...env,
      ...mallocSettings,
    });
  } catch {
    // The server runs without the settings, and keeps more memory after a burst.
  }
}
