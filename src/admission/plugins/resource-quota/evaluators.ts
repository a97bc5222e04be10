// ResourceQuota: finds the evaluator of a resource. Most resources have the generic one, which counts objects.
import type { Dialect } from '../../../dialect/dialect.ts';
import type { ServedResource } from '../../../kind/registry.ts';
import { claimEvaluator } from './claims.ts';
import { deviceClaimEvaluator } from './device-claims.ts';
import type { QuotaEvaluator } from './evaluator.ts';
import { podEvaluator } from './pods.ts';
import { serviceEvaluator } from './services.ts';
import { countQuantity, type Usage } from './usage.ts';

export class QuotaEvaluators {
  readonly #dialect: Dialect;
  /** By the resource in its storage version; an absent evaluator is cached, too. */
  readonly #cache = new WeakMap<ServedResource, { readonly evaluator: QuotaEvaluator | undefined }>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Undefined for resources that quotas do not count. */
  of({ stored }: ServedResource): QuotaEvaluator | undefined {
    let cached = this.#cache.get(stored);
    if (!cached) {
      cached = { evaluator: evaluatorFor(stored, this.#dialect) };
      this.#cache.set(stored, cached);
    }
    return cached.evaluator;
  }
}

/** Core resources whose count has a legacy name in quotas beside `count/<resource>`. */
const legacyNames = new Set(['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets']);

function evaluatorFor(resource: ServedResource, dialect: Dialect): QuotaEvaluator | undefined {
  const { definition, group, subject } = resource;
  const { namespaced, verbs, plural } = definition;
  // Events are exempt: they expire.
  if (!namespaced || !verbs.includes('list') || !verbs.includes('create') || plural === 'events') {
    return undefined;
  }
  /** The resource name of the object count: `count/deployments.apps`. */
  const countName = `count/${group === '' ? subject.resource : `${subject.resource}.${group}`}`;
  if (group === '') {
    if (plural === 'pods') return podEvaluator(countName, dialect);
    if (plural === 'services') return serviceEvaluator(countName);
    if (plural === 'persistentvolumeclaims') return claimEvaluator(countName, dialect);
  }
  if (definition.group === 'resource' && plural === 'resourceclaims')
    return deviceClaimEvaluator(countName, dialect);
  const names = [countName, ...(group === '' && legacyNames.has(plural) ? [plural] : [])];
  const usage: Usage = new Map(names.map((name) => [name, countQuantity(1)]));
  return { counts: (name) => usage.has(name), usage: () => usage, isUniform: true };
}
