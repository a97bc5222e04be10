import type { ScopedResourceSelectorRequirement } from '../../../apis/core/resourcequota.ts';
import type { Dialect } from '../../../dialect/dialect.ts';
import type { ApiObject } from '../../../kind/api-object.ts';
import type { ServedResource } from '../../../kind/registry.ts';
import { claims } from './claims.ts';
import { deviceClaims } from './device-claims.ts';
import { pods } from './pods.ts';
import { services } from './services.ts';
import { counted, type Usage } from './usage.ts';

/** Says what the objects of one resource use of what quotas limit. Objects are looked at in their stored version. */
export interface Evaluator {
  /** Whether a quota that limits this has to do with such objects. */
  counts(name: string): boolean;
  /** What an object uses at this time, in milliseconds since the epoch. */
  usage(object: ApiObject, now: number): Usage;
  /** Whether every object uses the same, so that it need not be looked at. */
  readonly isUniform?: boolean;
  /** Whether the object is in the scope. Left out: it is in none. */
  isIn?(scope: ScopedResourceSelectorRequirement, object: ApiObject): boolean;
  /** What must be said by an object that a quota for these names is for, but is not, in words. */
  unsaid?(names: readonly string[], object: ApiObject): string[];
  /** The subresources, beside the object itself (''), by which what it uses may grow. */
  readonly growsThrough?: readonly string[];
}

/** Names that some resources have had for how many of them there are, before `count/` was there for all. */
const olderNames = new Set(['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets']);

/** Undefined for what no quota counts. */
export function evaluatorFor(resource: ServedResource, dialect: Dialect): Evaluator | undefined {
  const { definition, group, subject } = resource;
  const { namespaced, verbs, plural } = definition;
  // Events are many, and go away by themselves.
  if (!namespaced || !verbs.includes('list') || !verbs.includes('create') || plural === 'events') {
    return undefined;
  }
  const total = `count/${group === '' ? subject.resource : `${subject.resource}.${group}`}`;
  if (group === '') {
    if (plural === 'pods') return pods(total, dialect);
    if (plural === 'services') return services(total);
    if (plural === 'persistentvolumeclaims') return claims(total, dialect);
  }
  if (definition.group === 'resource' && plural === 'resourceclaims') return deviceClaims(total, dialect);
  const names = [total, ...(group === '' && olderNames.has(plural) ? [plural] : [])];
  const usage: Usage = new Map(names.map((name) => [name, counted(1)]));
  return { counts: (name) => usage.has(name), usage: () => usage, isUniform: true };
}
