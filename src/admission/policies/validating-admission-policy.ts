// Admission plugin ValidatingAdmissionPolicy: evaluates the policies that are bound to a request.
import { CelOnDemand } from '../../cel/on-demand.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import type { Attributes } from '../attributes.ts';
import type { Plugin, PluginDependencies } from '../plugin.ts';
import { PolicyCompiler } from './compiled-policy.ts';
import { type ApplicablePolicy, PolicyCache } from './policy-cache.ts';
import { PolicyCheck } from './policy-check.ts';
import { PolicyMetrics } from './policy-metrics.ts';

export class ValidatingAdmissionPolicyPlugin implements Plugin {
  readonly name = 'ValidatingAdmissionPolicy';
  readonly #policies: PolicyCache;
  readonly #compiler: CelOnDemand<PolicyCompiler>;
  readonly #metrics: PolicyMetrics;

  constructor({ api, metrics }: PluginDependencies) {
    this.#policies = new PolicyCache(api, () => api.admission.invalidateHandlesCache());
    this.#compiler = new CelOnDemand((cel) => new PolicyCompiler(cel, api.dialect));
    this.#metrics = new PolicyMetrics(metrics);
  }

  handles(target: AdmissionTarget): boolean {
    return this.#policies.forTarget(target).length > 0;
  }

  reset(): void {
    this.#policies.reset();
  }

  close(): void {
    this.#policies.close();
  }

  validate(attributes: Attributes): void | Promise<void> {
    const applicable = this.#policies.forTarget(attributes.admissionTarget);
    const loading = this.#compiler.load();
    if (loading) return loading.then(() => this.#check(attributes, applicable));
    return this.#check(attributes, applicable);
  }

  #check(attributes: Attributes, applicable: readonly ApplicablePolicy[]): void | Promise<void> {
    return new PolicyCheck(attributes, this.#compiler.value, this.#metrics).run(applicable);
  }
}
