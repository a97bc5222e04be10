// Write guards: checks of a write that depend on the permissions of its user, such as RBAC escalation.
import { toRequestInfo } from '../../apis/authorization/review-attributes.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { WriteGuard } from '../../kind/hooks.ts';
import { forbiddenError } from '../../request/authorizer.ts';
import { hookTarget, RegistryReader } from '../object-reader.ts';
import type { WriteOptions } from '../options/write-options.ts';
import type { Target } from '../target.ts';
import type { AdmissionContext } from '../verb-context.ts';
import type { WriteContext } from './context.ts';

/** The part of a WriteContext that guards need. */
interface GuardedWrite {
  readonly api: AdmissionContext;
  readonly target: Target;
  readonly options: WriteOptions;
}

/** Runs one hook of a guard, unless the server itself writes. */
export function runGuard(
  guard: WriteGuard,
  hook: keyof WriteGuard,
  { api, target, options }: GuardedWrite,
  object: ApiObject,
  old?: ApiObject,
): void | Promise<void> {
  const { user } = options;
  if (!user) return;
  const { authorizer } = api;
  const context = { authorizer, objects: new RegistryReader(api), user, target: hookTarget(target) };
  return guard[hook]?.(context, object, old);
}

/** A client that creates an object by PUT or apply needs permission to create it, too. */
export async function authorizeCreateOnUpdate(context: WriteContext): Promise<void> {
  const { user } = context.options;
  if (!context.isCreateOnUpdate || !user) return;
  const { resource, namespace, name } = context.target;
  const { group, version, definition } = resource;
  const resourceAttributes = { verb: 'create', group, version, resource: definition.plural, namespace, name };
  const info = toRequestInfo({ resourceAttributes });
  const { allowed, reason } = await context.api.authorizer.authorize(user, info);
  if (!allowed) throw forbiddenError(user, info, reason);
}
