import type { Admitting } from '../../admission/admission.ts';
import type { Subject } from '../../admission/attributes.ts';
import type { Operation } from '../../admission/plugin.ts';
import type { Api, Target } from '../api.ts';
import type { WriteOptions } from '../options/write-options.ts';

/** Those who have a say in a write; undefined where there is nobody, or the server itself makes it. */
export function beginAdmission(
  api: Api,
  target: Target,
  operation: Operation,
  subject: Subject,
  options: WriteOptions,
  warnings: string[],
): Admitting | undefined {
  const { user, request } = options;
  if (!user) return undefined;
  return api.admission.begin(api, { target, operation, user, options, request, warnings }, subject);
}
