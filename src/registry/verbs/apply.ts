// Server-side apply, for callers in the same process. HTTP requests enter the write pipeline with their encoded body.
import type { AppliedConfiguration } from '../../patch/decode-applied-configuration.ts';
import type { WriteOptions } from '../options/write-options.ts';
import type { Target } from '../target.ts';
import type { VerbContext } from '../verb-context.ts';
import type { WriteResult } from '../write/context.ts';
import { executeWrite } from '../write/pipeline.ts';

/** Applies a configuration to an object, which is created where it does not exist. */
export function apply(
  api: VerbContext,
  target: Target,
  configuration: AppliedConfiguration,
  options: WriteOptions,
  warnings: string[],
): Promise<WriteResult> {
  return executeWrite(api, { target, options, input: { verb: 'apply', configuration } }, warnings);
}
