// The dependencies of the verbs, from those that only read storage to those that write through admission.
// The composition root in src/server builds one RegistryContext; everything else takes the narrowest of these types.
import type { Service } from '../apis/core/service.ts';
import type { Clock } from '../base/clock.ts';
import type { Ip } from '../base/ip-address.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { notFound } from '../errors/catalogue.ts';
import type { Reservation } from '../kind/hooks.ts';
import type { Registry } from '../kind/registry.ts';
import type { DraftContext } from '../kind/storage/codec.ts';
import type { Authorizer } from '../request/authorizer.ts';
import type { ListCache } from '../store/lists/list-cache.ts';
import type { Store, StoredObject } from '../store/store.ts';
import type { AuditHook } from './audit-hook.ts';
import type { PortOperation, PortRange } from './service/node-ports.ts';
import { keyOf, type Target } from './target.ts';
import type { AdmissionControl, NamespaceAdmission } from './write/admission-control.ts';

/** The kinds of a server and its storage: for caches and plugins that only read, and for get and watch. */
export interface StorageContext {
  readonly dialect: Dialect;
  readonly registry: Registry;
  readonly store: Store;
  readonly clock: Clock;
}

/** The dependencies of list. */
export interface ListContext extends StorageContext {
  /** The API group of ListOptions and DeleteOptions, in error messages and continue tokens. */
  readonly metaGroup: string;
  readonly lists: ListCache;
}

/** The dependencies of an update without admission, as the server makes it to a status. */
export interface UpdateContext extends StorageContext, DraftContext {}

/** The dependencies of admission plugins. */
export interface AdmissionContext extends UpdateContext {
  readonly metaGroup: string;
  /** Authorizes more than the request itself: secondary checks, and create on update. */
  readonly authorizer: Authorizer;
  readonly admission: AdmissionControl<AdmissionContext>;
}

/** The dependencies of create, update, patch, apply and delete. */
export interface VerbContext extends AdmissionContext {
  /** The NamespaceLifecycle plugin, which every verb calls directly. */
  readonly lifecycle: NamespaceAdmission;
  readonly serviceAllocation: ServiceAllocations;
  /** Records writes that have no request. Undefined where each write has one. */
  readonly auditHook?: AuditHook | undefined;
}

/** The dependencies of all verbs. */
export type RegistryContext = ListContext & VerbContext;

/** Allocates the cluster IPs and node ports of Services, and answers questions about them. */
interface ServiceAllocations {
  reserve(
    context: VerbContext,
    service: Service,
    old: Service | undefined,
    dryRun: boolean,
  ): Promise<Reservation>;
  /** `reserve` in two parts, for a worker thread that prepares a Service with very many ports. */
  reserveAddresses(
    context: VerbContext,
    service: Service,
    old: Service | undefined,
    dryRun: boolean,
  ): Promise<Reservation>;
  beginPorts(dryRun: boolean): PortOperation;
  release(context: VerbContext, service: Service): Promise<void>;
  hasAddress(ip: Ip): boolean;
  readonly nodePorts: PortRange;
  isShared(port: number): boolean;
  /** Reads what is allocated before the first request. */
  warmUp(): Promise<void>;
  /** The store was replaced. */
  reset(): void;
}

/** The stored object of a target. Throws the 404 if it does not exist. */
export function existing({ store }: Pick<StorageContext, 'store'>, target: Target): StoredObject {
  const stored = store.get(keyOf(target));
  if (!stored) throw notFound(target.resource.subject, target.name);
  return stored;
}
