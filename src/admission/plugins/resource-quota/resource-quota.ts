// Admission plugin ResourceQuota: charges requests to the quotas of their namespace and rejects those that exceed one.
import type { ApiObject } from '../../../kind/api-object.ts';
import type { StorageContext } from '../../../registry/verb-context.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import type { Attributes } from '../../attributes.ts';
import type { Plugin } from '../../plugin.ts';
import { Charge } from './charge.ts';
import { QuotaEvaluators } from './evaluators.ts';
import { hasUnobservedLimits, isInScope } from './quota-account.ts';
import type { QuotaLedger } from './quota-ledger.ts';

export class ResourceQuota implements Plugin<ApiObject> {
  readonly name = 'ResourceQuota';
  readonly #api: StorageContext;
  readonly #ledger: QuotaLedger;
  readonly #evaluators: QuotaEvaluators;

  constructor(api: StorageContext, ledger: QuotaLedger) {
    this.#api = api;
    this.#ledger = ledger;
    this.#evaluators = new QuotaEvaluators(api.dialect);
  }

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    const evaluator = this.#evaluators.of(resource);
    if (!evaluator) return false;
    const mayIncrease =
      operation === 'CREATE'
        ? subresource === ''
        : operation === 'UPDATE' && evaluator.chargedSubresources?.includes(subresource);
    return !!mayIncrease && this.#ledger.accessor.quotas.limitsAny((name) => evaluator.counts(name));
  }

  validate(attributes: Attributes<ApiObject>): void | Promise<void> {
    const { namespace, target } = attributes;
    const quotas = this.#ledger.accessor.quotas.in(namespace);
    if (quotas.length === 0) return;
    const evaluator = this.#evaluators.of(target.resource)!;
    const charge = new Charge(attributes, evaluator, this.#api.clock.now());
    const applicable = quotas.filter(
      (quota) =>
        Object.keys(quota.spec.hard ?? {}).some((name) => evaluator.counts(name)) &&
        isInScope(quota, evaluator, charge.object),
    );
    if (applicable.length === 0) return;
    // A new limit applies at once: the request waits until the quota controller has calculated its usage.
    const calculating = applicable.some(hasUnobservedLimits)
      ? this.#ledger.waitUntilCalculated?.(namespace)
      : undefined;
    return calculating ? calculating.then(() => this.#ledger.charge(charge)) : this.#ledger.charge(charge);
  }

  reset(): void {
    this.#ledger.reset();
  }
}
