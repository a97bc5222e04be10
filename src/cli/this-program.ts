// The words by which the program starts itself again.
import { isSingleExecutable } from '../base/worker-entry.ts';

/** The words that start this program: Node and its script, or a single executable. */
export function thisProgram(): [program: string, ...script: string[]] {
  const { execPath, argv } = process;
  const script = argv[1];
  // In a single executable it is the name that the user has typed.
  return isSingleExecutable() || script === undefined ? [execPath] : [execPath, script];
}
