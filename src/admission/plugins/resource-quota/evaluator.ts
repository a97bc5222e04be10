// ResourceQuota: the interface of an evaluator (upstream: quota.Evaluator), which calculates the usage of the objects
// of a resource.
import type { ScopedResourceSelectorRequirement } from '../../../apis/core/resourcequota.ts';
import type { ApiObject } from '../../../kind/api-object.ts';
import type { Usage } from './usage.ts';

/** All objects are in the storage version of the resource. */
export interface QuotaEvaluator<T extends ApiObject = ApiObject> {
  /** Whether the evaluator computes usage for this resource name of spec.hard, such as `requests.cpu`. */
  counts(name: string): boolean;
  /** The usage of an object at a time in milliseconds since the epoch. */
  usage(object: T, now: number): Usage;
  /** Whether every object has the same usage, so that counting keys is enough. */
  readonly isUniform?: boolean;
  /** Whether the object is in the scope. Absent: it is in none. */
  matchesScope?(scope: ScopedResourceSelectorRequirement, object: T): boolean;
  /** Messages for requests or limits that the object must specify under a quota for these names. */
  missingConstraints?(names: readonly string[], object: T): string[];
  /** The subresources ('' is the object itself) whose updates are charged, because they can increase usage. */
  readonly chargedSubresources?: readonly string[];
}
