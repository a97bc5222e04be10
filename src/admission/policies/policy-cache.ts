// ValidatingAdmissionPolicy: the cache of policies and bindings, by the targets (operation on a resource) that they match.
import type { MatchResources } from '../../apis/admissionregistration/rules.ts';
import type { ValidatingAdmissionPolicySpec } from '../../apis/admissionregistration/validatingadmissionpolicy-schema.ts';
import type { ValidatingAdmissionPolicyBindingSpec } from '../../apis/admissionregistration/validatingadmissionpolicybinding-schema.ts';
import type { ServedResource } from '../../kind/registry.ts';
import type { StorageContext } from '../../registry/verb-context.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import { Reflector } from '../../store/reflector.ts';
import type { StoredObject } from '../../store/store.ts';
import { type MatchCriteria, Matcher, type TargetMatcher } from '../matching/matcher.ts';
import type { CompiledPolicy, PolicyCompiler } from './compiled-policy.ts';
import { BindingParams, resourceOfParamKind } from './params.ts';

const prefixes = { policies: 'validatingadmissionpolicies', bindings: 'validatingadmissionpolicybindings' };

/** A stored policy with its matcher and its compiled expressions. A policy without resourceRules matches nothing. */
export class CachedPolicy {
  readonly name: string;
  readonly spec: ValidatingAdmissionPolicySpec;
  readonly specJson: string;
  readonly matcher: Matcher;
  #compiled: CompiledPolicy | undefined;

  constructor(name: string, spec: ValidatingAdmissionPolicySpec, specJson: string) {
    this.name = name;
    this.spec = spec;
    this.specJson = specJson;
    const { resourceRules = [], ...criteria } = criteriaOf(spec.matchConstraints);
    this.matcher = new Matcher({ ...criteria, rules: resourceRules });
  }

  /** Compiles the expressions with the first request that the policy matches. */
  compiled(compiler: PolicyCompiler): CompiledPolicy {
    this.#compiled ??= compiler.compile(this.spec);
    return this.#compiled;
  }

  get failsClosed(): boolean {
    return this.spec.failurePolicy !== 'Ignore';
  }
}

/** A stored binding with its matcher. A binding without resourceRules matches every request. */
export class CachedBinding {
  readonly name: string;
  readonly spec: ValidatingAdmissionPolicyBindingSpec;
  readonly specJson: string;
  readonly matcher: Matcher;
  #params: { readonly resource: ServedResource; readonly params: BindingParams } | undefined;

  constructor(name: string, spec: ValidatingAdmissionPolicyBindingSpec, specJson: string) {
    this.name = name;
    this.spec = spec;
    this.specJson = specJson;
    const { resourceRules = [], ...criteria } = criteriaOf(spec.matchResources);
    this.matcher = new Matcher({ ...criteria, ...(resourceRules.length > 0 && { rules: resourceRules }) });
  }

  /** The parameters that paramRef refers to; undefined for a binding without paramRef. */
  params(api: StorageContext, resource: ServedResource): BindingParams | undefined {
    const { paramRef } = this.spec;
    if (!paramRef) return undefined;
    if (this.#params?.resource !== resource) {
      this.close();
      this.#params = { resource, params: new BindingParams(api, resource, paramRef) };
    }
    return this.#params.params;
  }

  close(): void {
    this.#params?.params.close();
    this.#params = undefined;
  }
}

function criteriaOf({
  excludeResourceRules,
  ...criteria
}: MatchResources = {}): MatchCriteria & Pick<MatchResources, 'resourceRules'> {
  return { ...criteria, ...(excludeResourceRules && { excludeRules: excludeResourceRules }) };
}

/** A policy that matches a target, with the bindings that match it. */
export interface ApplicablePolicy {
  readonly policy: CachedPolicy;
  readonly matcher: TargetMatcher;
  readonly bindings: readonly { readonly binding: CachedBinding; readonly matcher: TargetMatcher }[];
  /** The resource of paramKind: undefined without paramKind, null if no such kind is served. */
  readonly paramResource: ServedResource | null | undefined;
}

/** Policies and bindings, in step with the store: a change takes effect before its writer gets the response. */
export class PolicyCache {
  readonly #api: StorageContext;
  readonly #reflectors: readonly Reflector[];
  readonly #policies = new Map<string, CachedPolicy>();
  readonly #bindings = new Map<string, CachedBinding>();
  readonly #onChange: () => void;
  /** By resource, then by operation and subresource. */
  #byTarget = new Map<ServedResource, Map<string, readonly ApplicablePolicy[]>>();
  /** The served resources for which `#byTarget` was computed. */
  #served: readonly ServedResource[] = [];
  #isSynced = false;

  constructor(api: StorageContext, onChange: () => void) {
    this.#api = api;
    this.#onChange = onChange;
    this.#reflectors = [
      this.#reflect(prefixes.policies, this.#policies, CachedPolicy),
      this.#reflect(prefixes.bindings, this.#bindings, CachedBinding),
    ];
  }

  /** Drops all state after the store was restored to a snapshot. */
  reset(): void {
    for (const reflector of this.#reflectors) reflector.reset();
    this.#isSynced = false;
  }

  close(): void {
    for (const binding of this.#bindings.values()) binding.close();
  }

  /** The policies that may match requests for a target, ordered by name. */
  forTarget(target: AdmissionTarget): readonly ApplicablePolicy[] {
    if (!this.#isSynced) {
      this.#isSynced = true;
      for (const reflector of this.#reflectors) reflector.sync();
    }
    const { resources } = this.#api.registry;
    if (this.#served !== resources) {
      this.#served = resources;
      this.#byTarget = new Map();
    }
    let byOperation = this.#byTarget.get(target.resource);
    if (!byOperation) {
      byOperation = new Map();
      this.#byTarget.set(target.resource, byOperation);
    }
    const key = `${target.operation} ${target.subresource}`;
    let applicable = byOperation.get(key);
    if (!applicable) {
      applicable = isExempt(target.resource) ? [] : this.#find(target);
      byOperation.set(key, applicable);
    }
    return applicable;
  }

  #find(target: AdmissionTarget): readonly ApplicablePolicy[] {
    const { registry } = this.#api;
    const applicable: ApplicablePolicy[] = [];
    const bindingsByPolicy = this.#bindingsByPolicy();
    for (const policy of byName(this.#policies)) {
      const boundBindings = bindingsByPolicy.get(policy.name);
      if (!boundBindings) continue;
      const matcher = policy.matcher.forTarget(registry, target);
      if (!matcher) continue;
      const { paramKind } = policy.spec;
      const bindings = boundBindings.flatMap((binding) => {
        const bindingMatcher = binding.matcher.forTarget(registry, target);
        return bindingMatcher ? [{ binding, matcher: bindingMatcher }] : [];
      });
      const paramResource = paramKind && (resourceOfParamKind(this.#api.registry, paramKind) ?? null);
      // A policy whose paramKind is not served fails every request that it matches, even without a matching binding.
      if (bindings.length > 0 || paramResource === null) {
        applicable.push({ policy, matcher, bindings, paramResource });
      }
    }
    return applicable;
  }

  #bindingsByPolicy(): Map<string, CachedBinding[]> {
    const byPolicy = new Map<string, CachedBinding[]>();
    for (const binding of byName(this.#bindings)) {
      const { policyName = '' } = binding.spec;
      const bindings = byPolicy.get(policyName);
      if (bindings) bindings.push(binding);
      else byPolicy.set(policyName, [binding]);
    }
    return byPolicy;
  }

  /** Creates the reflector that keeps `cached` in step with the store. */
  #reflect<Spec, Cached extends { readonly specJson: string; close?(): void }>(
    prefix: string,
    cached: Map<string, Cached>,
    CachedClass: new (name: string, spec: Spec, specJson: string) => Cached,
  ): Reflector {
    const nameOf = ({ key }: StoredObject) => key.slice(prefix.length + 1);
    const invalidate = () => {
      this.#byTarget = new Map();
      this.#onChange();
    };
    const remove = (name: string) => {
      cached.get(name)?.close?.();
      cached.delete(name);
    };
    return new Reflector(this.#api.store, prefix, {
      add: (stored) => {
        const name = nameOf(stored);
        const decoded = specOf<Spec>(stored);
        // A change outside of spec, such as of status, does not affect the policy.
        if (decoded && cached.get(name)?.specJson === decoded.specJson) return;
        remove(name);
        if (decoded) cached.set(name, new CachedClass(name, decoded.spec, decoded.specJson));
        invalidate();
      },
      // A replaced object is handled by `add`, which compares the specs; here the object was deleted.
      remove: (stored) => {
        if (this.#api.store.get(stored.key)) return;
        remove(nameOf(stored));
        invalidate();
      },
      clear: () => {
        for (const name of [...cached.keys()]) remove(name);
        invalidate();
      },
    });
  }
}

const byName = <T extends { readonly name: string }>(all: ReadonlyMap<string, T>): T[] =>
  [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1));

/** `specJson` tells whether the spec has changed. Undefined for an undecodable object. */
function specOf<Spec>({
  json,
}: StoredObject): { readonly spec: Spec; readonly specJson: string } | undefined {
  try {
    const { spec } = JSON.parse(json.toString()) as { spec?: Spec };
    return spec && { spec, specJson: JSON.stringify(spec) };
  } catch {
    return undefined;
  }
}

const policyResources = new Set([
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
    (group === 'admissionregistration' && policyResources.has(plural))
  );
}
