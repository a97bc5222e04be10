// update, for callers in the same process. HTTP requests enter the write pipeline with their encoded body.
import type { WriteOptions } from '../options/write-options.ts';
import type { Target } from '../target.ts';
import type { VerbContext } from '../verb-context.ts';
import type { DecodedObject, WriteResult } from '../write/context.ts';
import { executeWrite } from '../write/pipeline.ts';

/**
 * Replaces an object, or the part of it that the subresource covers. `read` returns the new object; it runs again when
 * the write is retried, and may then start from the latest state.
 */
export function update(
  api: VerbContext,
  target: Target,
  read: () => DecodedObject | Promise<DecodedObject>,
  options: WriteOptions,
  warnings: string[],
): Promise<WriteResult> {
  return executeWrite(api, { target, options, input: { verb: 'update', read } }, warnings);
}
