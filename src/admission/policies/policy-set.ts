// ValidatingAdmissionPolicy: the cache of policies and bindings, and which apply to a request.
import type { MatchResources } from '../../apis/admissionregistration/rules.ts';
import type { ValidatingAdmissionPolicySpec } from '../../apis/admissionregistration/validatingadmissionpolicy-schema.ts';
import type { ValidatingAdmissionPolicyBindingSpec } from '../../apis/admissionregistration/validatingadmissionpolicybinding-schema.ts';
import type { ServedResource } from '../../kind/registry.ts';
import type { Api } from '../../registry/api.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import { Reflector } from '../../store/reflector.ts';
import type { StoredObject } from '../../store/store.ts';
import { Matcher, type SortMatcher } from '../matching/matcher.ts';
import type { CompiledPolicy, PolicyCompiler } from './compiled-policy.ts';
import { Params, resourceOfParams } from './params.ts';

const prefixes = { policies: 'validatingadmissionpolicies', bindings: 'validatingadmissionpolicybindings' };

/** A policy as it is stored, and what has been made of it. */
export class LivePolicy {
  readonly name: string;
  readonly spec: ValidatingAdmissionPolicySpec;
  readonly text: string;
  readonly matcher: Matcher;
  #compiled: CompiledPolicy | undefined;

  constructor(name: string, spec: ValidatingAdmissionPolicySpec, text: string) {
    this.name = name;
    this.spec = spec;
    this.text = text;
    const { resourceRules = [], ...criteria } = criteriaOf(spec.matchConstraints);
    this.matcher = new Matcher({ ...criteria, rules: resourceRules });
  }

  /** Compiled when it first has something to say. */
  compiled(compiler: PolicyCompiler): CompiledPolicy {
    this.#compiled ??= compiler.compile(this.spec);
    return this.#compiled;
  }

  get fails(): boolean {
    return this.spec.failurePolicy !== 'Ignore';
  }
}

export class LiveBinding {
  readonly name: string;
  readonly spec: ValidatingAdmissionPolicyBindingSpec;
  readonly text: string;
  readonly matcher: Matcher;
  #params: { readonly of: ServedResource; readonly params: Params } | undefined;

  constructor(name: string, spec: ValidatingAdmissionPolicyBindingSpec, text: string) {
    this.name = name;
    this.spec = spec;
    this.text = text;
    const { resourceRules = [], ...criteria } = criteriaOf(spec.matchResources);
    this.matcher = new Matcher({ ...criteria, ...(resourceRules.length > 0 && { rules: resourceRules }) });
  }

  /** Where its parameters are found; undefined where it refers to none. */
  params(api: Api, resource: ServedResource): Params | undefined {
    const { paramRef } = this.spec;
    if (!paramRef) return undefined;
    if (this.#params?.of !== resource) {
      this.close();
      this.#params = { of: resource, params: new Params(api, resource, paramRef) };
    }
    return this.#params.params;
  }

  close(): void {
    this.#params?.params.close();
    this.#params = undefined;
  }
}

function criteriaOf({ excludeResourceRules, ...criteria }: MatchResources = {}) {
  return { ...criteria, ...(excludeResourceRules && { excluded: excludeResourceRules }) };
}

/** A policy that matches a target, with the bindings that match it. */
export interface Applicable {
  readonly policy: LivePolicy;
  readonly matcher: SortMatcher;
  readonly bindings: readonly { readonly binding: LiveBinding; readonly matcher: SortMatcher }[];
  /** The kind of its parameters: undefined where it has none, null where there is no such kind. */
  readonly paramResource: ServedResource | null | undefined;
}

/** Policies and bindings, in step with the store: a change takes effect before its writer gets the response. */
export class PolicySet {
  readonly #api: Api;
  readonly #followers: readonly Reflector[];
  readonly #policies = new Map<string, LivePolicy>();
  readonly #bindings = new Map<string, LiveBinding>();
  readonly #changed: () => void;
  #bySort = new Map<ServedResource, Map<string, readonly Applicable[]>>();
  /** The kinds that were served when that was found out. */
  #served: readonly ServedResource[] = [];
  #isCaughtUp = false;

  constructor(api: Api, changed: () => void) {
    this.#api = api;
    this.#changed = changed;
    this.#followers = [
      this.#follow(prefixes.policies, this.#policies, LivePolicy),
      this.#follow(prefixes.bindings, this.#bindings, LiveBinding),
    ];
  }

  /** Forgets everything, for a store that was put back to another state. */
  reset(): void {
    for (const follower of this.#followers) follower.reset();
    this.#isCaughtUp = false;
  }

  close(): void {
    for (const binding of this.#bindings.values()) binding.close();
  }

  /** The policies that may match requests for a target, ordered by name. */
  for(sort: AdmissionTarget): readonly Applicable[] {
    if (!this.#isCaughtUp) {
      this.#isCaughtUp = true;
      for (const follower of this.#followers) follower.sync();
    }
    const { resources } = this.#api.registry;
    if (this.#served !== resources) {
      this.#served = resources;
      this.#bySort = new Map();
    }
    let ofResource = this.#bySort.get(sort.resource);
    if (!ofResource) {
      ofResource = new Map();
      this.#bySort.set(sort.resource, ofResource);
    }
    const key = `${sort.operation} ${sort.subresource}`;
    let applicable = ofResource.get(key);
    if (!applicable) {
      applicable = isExempt(sort.resource) ? [] : this.#find(sort);
      ofResource.set(key, applicable);
    }
    return applicable;
  }

  #find(sort: AdmissionTarget): readonly Applicable[] {
    const { registry } = this.#api;
    const found: Applicable[] = [];
    const bindingsOf = this.#bindingsByPolicy();
    for (const policy of byName(this.#policies)) {
      const bound = bindingsOf.get(policy.name) ?? [];
      const matcher = bound.length > 0 && policy.matcher.for(registry, sort);
      if (!matcher) continue;
      const { paramKind } = policy.spec;
      const bindings = bound.flatMap((binding) => {
        const ofBinding = binding.matcher.for(registry, sort);
        return ofBinding ? [{ binding, matcher: ofBinding }] : [];
      });
      const paramResource = paramKind && (resourceOfParams(this.#api, paramKind) ?? null);
      if (bindings.length > 0 || paramResource === null) {
        found.push({ policy, matcher, bindings, paramResource });
      }
    }
    return found;
  }

  #bindingsByPolicy(): Map<string, LiveBinding[]> {
    const byPolicy = new Map<string, LiveBinding[]>();
    for (const binding of byName(this.#bindings)) {
      const { policyName = '' } = binding.spec;
      const others = byPolicy.get(policyName);
      if (others) others.push(binding);
      else byPolicy.set(policyName, [binding]);
    }
    return byPolicy;
  }

  #follow<Spec, Live extends { readonly text: string; close?(): void }>(
    prefix: string,
    all: Map<string, Live>,
    Kind: new (name: string, spec: Spec, text: string) => Live,
  ): Reflector {
    const nameOf = ({ key }: StoredObject) => key.slice(prefix.length + 1);
    const forget = () => {
      this.#bySort = new Map();
      this.#changed();
    };
    const drop = (name: string) => {
      all.get(name)?.close?.();
      all.delete(name);
    };
    return new Reflector(this.#api.store, prefix, {
      add: (stored) => {
        const name = nameOf(stored);
        const read = specOf<Spec>(stored);
        // A change outside of spec, such as of status, does not affect the policy.
        if (read && all.get(name)?.text === read.text) return;
        drop(name);
        if (read) all.set(name, new Kind(name, read.spec, read.text));
        forget();
      },
      // What comes after an object is compared with it; only where nothing does, it is gone.
      remove: (stored) => {
        if (this.#api.store.get(stored.key)) return;
        drop(nameOf(stored));
        forget();
      },
      clear: () => {
        for (const name of [...all.keys()]) drop(name);
        forget();
      },
    });
  }
}

const byName = <T extends { readonly name: string }>(all: ReadonlyMap<string, T>): T[] =>
  [...all.values()].sort((one, other) => (one.name < other.name ? -1 : 1));

/** Undefined for an undecodable object. */
function specOf<Spec>({ json }: StoredObject): { readonly spec: Spec; readonly text: string } | undefined {
  try {
    const { spec } = JSON.parse(json.toString()) as { spec?: Spec };
    return spec && { spec, text: JSON.stringify(spec) };
  } catch {
    return undefined;
  }
}

const ofPolicies = new Set([
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]);

/** Policies do not apply to policies themselves, nor to authentication and authorization reviews. */
function isExempt({ definition: { group, plural } }: ServedResource): boolean {
  return (
    group === 'authentication' ||
    group === 'authorization' ||
    (group === 'admissionregistration' && ofPolicies.has(plural))
  );
}
