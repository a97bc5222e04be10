// ResourceQuota: the evaluator interface, the usage of the objects of one resource.
import type { ScopedResourceSelectorRequirement } from '../../../apis/core/resourcequota.ts';
import type { ApiObject } from '../../../kind/api-object.ts';
import type { Usage } from './usage.ts';

/** Calculates the usage of the objects of one resource, in their storage version. */
export interface Evaluator<T extends ApiObject = ApiObject> {
  /** Whether a quota that limits this has to do with such objects. */
  counts(name: string): boolean;
  /** The usage of an object at a time in milliseconds since the epoch. */
  usage(object: T, now: number): Usage;
  /** Whether every object uses the same, so that it need not be looked at. */
  readonly isUniform?: boolean;
  /** Whether the object is in the scope. Left out: it is in none. */
  isIn?(scope: ScopedResourceSelectorRequirement, object: T): boolean;
  /** Messages for requests or limits that the object must specify under a quota for these names. */
  unsaid?(names: readonly string[], object: T): string[];
  /** The subresources, beside the object itself (''), by which what it uses may grow. */
  readonly growsThrough?: readonly string[];
}
