import { requestOf } from '../../apis/authorization/review-attributes.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { WriteGuard } from '../../kind/hooks.ts';
import { forbiddenError } from '../../request/authorizer.ts';
import type { Api, Target } from '../api.ts';
import { hookTarget, RegistryReader } from '../object-reader.ts';
import type { WriteOptions } from '../options/write-options.ts';

interface GuardedWrite {
  readonly api: Api;
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

/** An update that creates its object needs the verb `create`, too. */
export async function refuseCreation({ api, target, options }: GuardedWrite): Promise<void> {
  const { user } = options;
  if (!user) return;
  const { resource, namespace, name } = target;
  const { group, version, definition } = resource;
  const asked = { verb: 'create', group, version, resource: definition.plural, namespace, name };
  const info = requestOf({ resourceAttributes: asked });
  const { allowed, reason } = await api.authorizer.authorize(user, info);
  if (!allowed) throw forbiddenError(user, info, reason);
}
