// Admission: the error with which a plugin rejects a request (upstream: admission.NewForbidden), and its aggregated
// message.
import { forbidden } from '../errors/catalogue.ts';
import type { ApiError } from '../errors/status.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { Target } from '../registry/target.ts';

/** The attributes that identify the rejected object. */
interface RejectedRequest {
  readonly target: Target;
  readonly object?: ApiObject | undefined;
}

export function newForbidden(request: RejectedRequest, reason: string): ApiError {
  return forbidden(request.target.resource.subject, nameOf(request), reason);
}

/** An object whose name is not generated yet goes by its generateName. */
function nameOf({ target, object }: RejectedRequest): string {
  return target.name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
}

/** Joins messages as apimachinery's Aggregate does: each once, in brackets where there are several. */
export function aggregateMessages(messages: readonly string[]): string {
  const unique = [...new Set(messages)];
  return unique.length === 1 ? unique[0]! : `[${unique.join(', ')}]`;
}
