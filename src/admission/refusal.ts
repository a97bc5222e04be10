import { forbidden } from '../errors/catalogue.ts';
import type { ApiError } from '../errors/status.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { Target } from '../registry/api.ts';

/** What of a write tells which object it is about. */
interface About {
  readonly target: Target;
  readonly object?: ApiObject | undefined;
}

/** The refusal of a write by one that has a say in it. */
export function refusal(about: About, why: string): ApiError {
  return forbidden(about.target.resource.subject, calledAs(about), why);
}

/** An object without a name goes by what one would be made of. */
function calledAs({ target, object }: About): string {
  return target.name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
}

/** Several reasons as one, each said once. */
export function together(reasons: readonly string[]): string {
  const each = [...new Set(reasons)];
  return each.length === 1 ? each[0]! : `[${each.join(', ')}]`;
}
