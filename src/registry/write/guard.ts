import { requestOf } from '../../apis/authorization/access-review.ts';
import type { ApiObject } from '../../kind/definition.ts';
import { refusal } from '../../request/authorizer.ts';
import type { User } from '../../request/user.ts';
import type { Api, Target } from '../api.ts';
import type { WriteOptions } from '../options/write-options.ts';

/**
 * Checks of a write that depend on who makes it: they may ask `api.authorizer` what else the writer may do, and throw to
 * refuse. `old` is what the object is to replace. What the server itself writes is not checked.
 */
export interface Guard<T extends ApiObject = ApiObject> {
  /** Before the server completes or checks anything. */
  before?(writer: Writer, object: T, old: T | undefined): void | Promise<void>;
  /** Once the object is complete and valid, before it is stored. */
  after?(writer: Writer, object: T, old: T | undefined): void | Promise<void>;
}

export interface Writer {
  readonly api: Api;
  readonly user: User;
  readonly target: Target;
  readonly options: WriteOptions;
}

/** Asks a guard about a write, unless the server itself makes it. */
export function ask(
  guard: Guard,
  moment: keyof Guard,
  { api, target, options }: Omit<Writer, 'user'>,
  object: ApiObject,
  old?: ApiObject,
): void | Promise<void> {
  const { user } = options;
  if (user) return guard[moment]?.({ api, user, target, options }, object, old);
}

/** Who changes an object that is not there needs leave to create it, too. */
export async function refuseCreation({ api, target, options }: Omit<Writer, 'user'>): Promise<void> {
  const { user } = options;
  if (!user) return;
  const { resource, namespace, name } = target;
  const { group, version, definition } = resource;
  const asked = { verb: 'create', group, version, resource: definition.plural, namespace, name };
  const info = requestOf({ resourceAttributes: asked });
  const { allowed, reason } = await api.authorizer.authorize(user, info);
  if (!allowed) throw refusal(user, info, reason);
}
