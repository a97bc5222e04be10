// create, for callers in the same process. HTTP requests enter the write pipeline with their encoded body.
import type { StoredObject } from '../../store/store.ts';
import type { WriteOptions } from '../options/write-options.ts';
import type { Target } from '../target.ts';
import type { VerbContext } from '../verb-context.ts';
import type { DecodedObject } from '../write/context.ts';
import { executeWrite } from '../write/pipeline.ts';

/** Creates an object. The pipeline takes over `created.object` and changes it. */
export async function create(
  api: VerbContext,
  target: Target,
  created: DecodedObject,
  options: WriteOptions,
  warnings: string[],
): Promise<StoredObject> {
  const input = { verb: 'create', read: () => created } as const;
  return (await executeWrite(api, { target, options, input }, warnings)).object;
}
