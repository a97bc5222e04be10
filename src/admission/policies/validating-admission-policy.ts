// Admission plugin ValidatingAdmissionPolicy.
import { CelOnDemand } from '../../cel/on-demand.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import type { Attributes } from '../attributes.ts';
import type { Plugin, PluginDependencies } from '../plugin.ts';
import { Check } from './check.ts';
import { CheckMetrics } from './check-metrics.ts';
import { PolicyCompiler } from './compiled-policy.ts';
import { type Applicable, PolicySet } from './policy-set.ts';

/** Holds writes to the policies that are bound. */
export class ValidatingAdmissionPolicyPlugin implements Plugin {
  readonly name = 'ValidatingAdmissionPolicy';
  readonly #set: PolicySet;
  readonly #compiler: CelOnDemand<PolicyCompiler>;
  readonly #metrics: CheckMetrics;

  constructor({ api, metrics }: PluginDependencies) {
    this.#set = new PolicySet(api, () => api.admission.reconsider());
    this.#compiler = new CelOnDemand((cel) => new PolicyCompiler(cel, api.dialect));
    this.#metrics = new CheckMetrics(metrics);
  }

  handles(sort: AdmissionTarget): boolean {
    return this.#set.for(sort).length > 0;
  }

  reset(): void {
    this.#set.reset();
  }

  close(): void {
    this.#set.close();
  }

  validate(attributes: Attributes): void | Promise<void> {
    const applicable = this.#set.for(attributes.admissionTarget);
    const loading = this.#compiler.load();
    if (loading) return loading.then(() => this.#check(attributes, applicable));
    return this.#check(attributes, applicable);
  }

  #check(attributes: Attributes, applicable: readonly Applicable[]): void | Promise<void> {
    return new Check(attributes, this.#compiler.value, this.#metrics).run(applicable);
  }
}
