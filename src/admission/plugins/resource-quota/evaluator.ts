// ResourceQuota: the evaluator interface, the usage of the objects of one resource.
import type { ScopedResourceSelectorRequirement } from '../../../apis/core/resourcequota.ts';
import type { ApiObject } from '../../../kind/api-object.ts';
import type { Usage } from './usage.ts';

/** Says what the objects of one resource use of what quotas limit. Objects are looked at in their stored version. */
export interface Evaluator<T extends ApiObject = ApiObject> {
  /** Whether a quota that limits this has to do with such objects. */
  counts(name: string): boolean;
  /** What an object uses at this time, in milliseconds since the epoch. */
  usage(object: T, now: number): Usage;
  /** Whether every object uses the same, so that it need not be looked at. */
  readonly isUniform?: boolean;
  /** Whether the object is in the scope. Left out: it is in none. */
  isIn?(scope: ScopedResourceSelectorRequirement, object: T): boolean;
  /** What must be said by an object that a quota for these names is for, but is not, in words. */
  unsaid?(names: readonly string[], object: T): string[];
  /** The subresources, beside the object itself (''), by which what it uses may grow. */
  readonly growsThrough?: readonly string[];
}
