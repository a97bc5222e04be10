// The server's services for the hooks of a kind: strategies (run by every write), guards (checks that depend on the user) and
// actions (creates that are not stored, as an eviction). The registry implements these interfaces.

import type { ErrorSubject } from '../errors/catalogue.ts';
import type { Authorizer } from '../request/authorizer.ts';
import type { User } from '../request/user.ts';
import type { Struct } from '../schema/struct.ts';
import type { ConflictScope, Store } from '../store/store.ts';
import type { ApiObject } from './api-object.ts';
import type { ValidatedDeleteOptions } from './delete-options.ts';

/** Names one object of a built-in kind; `group` is the group's name as served. */
export interface ObjectKey {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** '' for a cluster-scoped kind. */
  readonly namespace: string;
  readonly name: string;
}

/** The object of the request that runs a guard or an action. */
export interface HookTarget extends ObjectKey {
  /** Names the resource in errors. */
  readonly subject: ErrorSubject;
  readonly schema: Struct<ApiObject>;
}

/** Reads objects of built-in kinds in their storage version. */
export interface ObjectReader {
  get(key: ObjectKey): ApiObject | undefined;
  /** The objects of the key's namespace, or of all namespaces with ''. Its name is ignored. */
  list(key: Omit<ObjectKey, 'name'>): ApiObject[];
}

/** Writes objects of built-in kinds as the server itself: past admission and validation. */
export interface ObjectWriter extends ObjectReader {
  /**
   * Changes a stored object, and retries if it changed concurrently. `change` throws the error of the request if the
   * object does not allow the change.
   */
  guaranteedUpdate(
    key: ObjectKey,
    change: (object: ApiObject) => void,
    options?: ObjectUpdateOptions,
  ): Promise<void>;
  delete(key: ObjectKey, options: ValidatedDeleteOptions): Promise<void>;
}

export interface ObjectUpdateOptions {
  readonly dryRun?: boolean;
  /** managedFields record the change as the server's own through this subresource. Without it they do not change. */
  readonly managedThrough?: string;
  readonly preconditions?: ValidatedDeleteOptions['preconditions'];
}

/** Checks of a write that depend on its user. The server's own writes are not checked. Each hook throws to deny the write. */
export interface WriteGuard<T extends ApiObject = ApiObject> {
  /** Runs after mutating admission, before anything is completed or validated. `old` is absent on create. */
  beforePrepare?(context: GuardContext, object: T, old: T | undefined): void | Promise<void>;
  /** Runs once the object is valid, before validating admission. */
  afterValidation?(context: GuardContext, object: T, old: T | undefined): void | Promise<void>;
}

export interface GuardContext {
  readonly authorizer: Authorizer;
  readonly objects: ObjectReader;
  readonly user: User;
  readonly target: HookTarget;
}

/** The server's services for strategies that reserve cluster IPs and node ports. */
export interface ReservationContext {
  readonly store: Pick<Store, 'get'>;
  readonly serviceAllocator: ServiceAllocator;
}

/** Allocates the cluster IPs and node ports of Services. */
interface ServiceAllocator {
  reserve(service: ApiObject, old: ApiObject | undefined, dryRun: boolean): Promise<Reservation>;
  release(service: ApiObject): Promise<void>;
}

/** The cluster IPs and node ports that were reserved for a write. Exactly one of `commit` and `undo` is called, once. */
export interface Reservation {
  /**
   * Called right before the commit if other replicas may reserve the same. The commit fails if one of them has changed the
   * returned scope in the meantime.
   */
  readonly enter?: (() => Promise<ConflictScope>) | undefined;
  /** The object is stored. */
  commit(): Promise<void>;
  /** The object is not stored: releases the reservation. */
  undo(): Promise<void>;
}
