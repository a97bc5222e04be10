// Strategies: the hooks of a kind that run when its objects are written (upstream: RESTCreateStrategy, RESTUpdateStrategy).
//
// Order of a write: mutating admission, guard.beforePrepare, reserve, prepareForCreate or prepareForUpdate, load, validate or
// validateUpdate, warnings, guard.afterValidation, validating admission, commit. Objects have defaults applied from the beginning.

import type { FieldError } from '../errors/field-error.ts';
import type { TaskOwner } from '../request/task-owner.ts';
import type { User } from '../request/user.ts';
import type { ApiObject } from './api-object.ts';
import type { Reservation, ReservationContext, WriteGuard } from './hooks.ts';

/** The hooks of an update, of an object or of one of its subresources. `T` is the kind's static type. */
export interface UpdateStrategy<T extends ApiObject = ApiObject> {
  /** Restores fields that this write may not change, and bumps the generation. `now` is formatted as in objects. */
  prepareForUpdate?(object: T, old: T, now: string): void;
  /**
   * Fields that prepareForUpdate restores or drops (`status`, `metadata.labels`): managedFields leave them out (upstream:
   * GetResetFields).
   */
  readonly resetFields?: readonly string[];
  /**
   * Loads modules that few objects need (CEL), and runs validation that takes long; undefined if it completed at once. `owner`
   * is the client's request; undefined for a write of the server itself. Throws ExpensiveValidation if an expression costs
   * more than `maxRuleCost`. A kind's strategy runs it on create too.
   */
  load?(object: T, old?: T, owner?: TaskOwner, maxRuleCost?: number): Promise<void> | undefined;
  validateUpdate?(object: T, old: T): FieldError[];
  warningsOnUpdate?(object: T, old: T): string[];
  /** A kind's strategy runs it on create too. */
  readonly guard?: WriteGuard<T>;
}

export interface Strategy<T extends ApiObject = ApiObject> extends UpdateStrategy<T> {
  /** The problems of a name, as "Invalid value" words them. `prefix`: the name is a generateName. */
  validateName(name: string, prefix?: boolean): string[];
  /** PUT on a name that does not exist creates the object. */
  readonly allowCreateOnUpdate?: boolean;
  /** PUT without resourceVersion overwrites the stored object. */
  readonly allowUnconditionalUpdate?: boolean;
  /** A delete responds with the object instead of a Status. */
  readonly deleteReturnsObject?: boolean;
  /** `user` is undefined if the server itself creates the object. */
  prepareForCreate?(object: T, now: string, user?: User): void;
  validate?(object: T): FieldError[];
  /** `validate` covers the metadata too, so generic validation does not. */
  readonly validatesMetadata?: boolean;
  warningsOnCreate?(object: T): string[];
  /** A finalizer that the server adds when deletion begins. */
  readonly finalizerOnDelete?: string;
  /** Changes an object whose deletion begins, beyond its metadata (a Namespace's phase). */
  prepareForDelete?(object: T): void;
  /** Dependents are orphaned, unless the request has a propagationPolicy. */
  readonly orphansByDefault?: boolean;
  /** Sent to a client that deletes an object without a propagationPolicy. */
  readonly warningOnDelete?: string;
  /** The grace period in seconds of a kind with graceful deletion. The object lacks long fields. `requested` is the client's. */
  gracefulDelete?(object: T, requested: number | undefined): number;
  /** The kind has finalizers of its own (`spec.finalizers`) that keep the object. */
  awaitsDeletion?(object: T): boolean;
  /** The object expires after --event-ttl. */
  readonly expires?: boolean;
  /** Reserves what the object needs beyond itself (cluster IPs, node ports), and sets it. */
  reserve?(context: ReservationContext, object: T, old: T | undefined, dryRun: boolean): Promise<Reservation>;
  /** Releases what a deleted object had reserved. */
  afterDelete?(context: ReservationContext, object: T): Promise<void>;
}
