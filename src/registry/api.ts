// What the verbs use of a server: its kinds, its state, and the services around a write.
import type { Service } from '../apis/core/service.ts';
import type { Clock } from '../base/clock.ts';
import type { Ip } from '../base/ip-address.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { notFound } from '../errors/catalogue.ts';
import type { VirtualContext } from '../kind/definition.ts';
import type { Reservation } from '../kind/hooks.ts';
import type { Registry } from '../kind/registry.ts';
import type { Authorizer } from '../request/authorizer.ts';
import type { TokenIssuer } from '../request/token-issuer.ts';
import type { ListCache } from '../store/lists/list-cache.ts';
import type { Store, StoredObject } from '../store/store.ts';
import type { WatchHub } from '../store/watch/hub.ts';
import type { AuditHook } from './audit-hook.ts';
import type { PortRange } from './service/node-ports.ts';
import { keyOf, type Target } from './target.ts';
import type { AdmissionControl, NamespaceAdmission } from './write/admission-control.ts';

/** The kinds of a server and its storage: the dependencies of caches, matchers and plugins that only read. */
export interface StorageContext {
  readonly dialect: Dialect;
  readonly registry: Registry;
  readonly store: Store;
  readonly clock: Clock;
}

/** The dependencies of the write pipeline. The composition root in src/server builds it. */
export interface Api extends StorageContext {
  /** The group of options and lists in error messages and tokens. */
  readonly metaGroup: string;
  readonly lists: ListCache;
  readonly hub: WatchHub;
  /** Checks permissions beyond the request's own, for guards and create on update. */
  readonly authorizer: Authorizer;
  readonly admission: AdmissionControl<Api>;
  /** The NamespaceLifecycle plugin, which every verb calls directly. */
  readonly lifecycle: NamespaceAdmission;
  /** Issues the tokens of TokenRequests. */
  readonly tokens: TokenIssuer;
  readonly storageHealth: VirtualContext['storageHealth'];
  readonly serviceAllocation: ServiceAllocations;
  /** --event-ttl, in milliseconds. */
  readonly eventTtl: number;
  /** Records writes that have no request. Undefined where each write has one. */
  readonly auditHook?: AuditHook | undefined;
}

/** Allocates the cluster IPs and node ports of Services, and answers questions about them. */
interface ServiceAllocations {
  reserve(api: Api, service: Service, old: Service | undefined, dryRun: boolean): Promise<Reservation>;
  release(api: Api, service: Service): Promise<void>;
  hasAddress(ip: Ip): boolean;
  readonly nodePorts: PortRange;
  isShared(port: number): boolean;
  /** Reads what is allocated before the first request. */
  warmUp(): Promise<void>;
  /** The store was replaced. */
  reset(): void;
}

/** The stored object of a target. Throws the 404 where it does not exist. */
export function existing(api: Api, target: Target): StoredObject {
  const stored = api.store.get(keyOf(target));
  if (!stored) throw notFound(target.resource.subject, target.name);
  return stored;
}
