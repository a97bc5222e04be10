import type { ServiceAccountTokens } from '../auth/service-account-tokens.ts';
import type { Clock } from '../base/clock.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { notFound } from '../errors/catalogue.ts';
import type { VirtualContext } from '../kind/definition.ts';
import type { Registry, ServedResource } from '../kind/registry.ts';
import type { Authorizer } from '../request/authorizer.ts';
import type { Lists } from '../store/lists/lists.ts';
import type { Store, StoredObject } from '../store/store.ts';
import type { WatchHub } from '../store/watch/hub.ts';
import type { AuditHook } from './audit-hook.ts';
import type { ServiceAllocation } from './service/service-allocation.ts';
import type { AdmissionControl, NamespaceAdmission } from './write/admission-control.ts';

/** What the verbs work with: one server's kinds and state. */
export interface Api {
  readonly dialect: Dialect;
  /** The group of options and lists in error messages and tokens. */
  readonly metaGroup: string;
  readonly registry: Registry;
  readonly store: Store;
  readonly lists: Lists;
  readonly hub: WatchHub;
  readonly clock: Clock;
  /** Those who have a say in what clients write. */
  readonly admission: AdmissionControl;
  /** One of them, that every verb asks itself. */
  readonly lifecycle: NamespaceAdmission;
  /** Says what a writer may do beyond the write at hand. */
  readonly authorizer: Authorizer;
  /** The tokens of service accounts. */
  readonly tokens: ServiceAccountTokens;
  readonly storageHealth: VirtualContext['storageHealth'];
  /** Gives services their addresses and ports. */
  readonly serviceAllocation: ServiceAllocation;
  /** How long an Event lives, in milliseconds. */
  readonly eventTtl: number;
  /** Records writes that have no request. Undefined where each write has one. */
  readonly auditHook?: AuditHook | undefined;
}

/** What a request is about: a collection (name is '') or one object, perhaps a subresource of it. */
export interface Target {
  readonly resource: ServedResource;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
}

export function keyOf(target: Target): string {
  return target.resource.key(target.namespace, target.name);
}

export function existing(api: Api, target: Target): StoredObject {
  const stored = api.store.get(keyOf(target));
  if (!stored) throw notFound(target.resource.subject, target.name);
  return stored;
}
