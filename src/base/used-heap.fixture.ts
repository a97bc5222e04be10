// Tests of memory bounds: the size of the heap after a garbage collection.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export function usedHeapBytes(): number {
  // A context created after the flag is set exposes `gc` as a global.
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
