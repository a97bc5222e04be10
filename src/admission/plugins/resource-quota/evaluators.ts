// ResourceQuota: the evaluator of each resource; object counts where a resource has none of its own.
import type { Dialect } from '../../../dialect/dialect.ts';
import type { ServedResource } from '../../../kind/registry.ts';
import { claims } from './claims.ts';
import { deviceClaims } from './device-claims.ts';
import type { Evaluator } from './evaluator.ts';
import { pods } from './pods.ts';
import { services } from './services.ts';
import { counted, type Usage } from './usage.ts';

/** The evaluators of resources, each made once. */
export class Evaluators {
  readonly #dialect: Dialect;
  readonly #known = new WeakMap<ServedResource, { readonly evaluator: Evaluator | undefined }>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  of({ stored }: ServedResource): Evaluator | undefined {
    let known = this.#known.get(stored);
    if (!known) {
      known = { evaluator: evaluatorFor(stored, this.#dialect) };
      this.#known.set(stored, known);
    }
    return known.evaluator;
  }
}

/** Names that some resources have had for how many of them there are, before `count/` was there for all. */
const olderNames = new Set(['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets']);

/** Undefined for what no quota counts. */
function evaluatorFor(resource: ServedResource, dialect: Dialect): Evaluator | undefined {
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
