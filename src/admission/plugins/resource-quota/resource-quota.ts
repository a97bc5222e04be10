// Admission plugin ResourceQuota: rejects requests that exceed the quotas of their namespace.
import type { ApiObject } from '../../../kind/api-object.ts';
import type { Api } from '../../../registry/api.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import type { Attributes } from '../../attributes.ts';
import type { Plugin } from '../../plugin.ts';
import { Charge } from './charge.ts';
import { isInScope, isNew } from './check.ts';
import { Evaluators } from './evaluators.ts';
import type { Ledger } from './ledger.ts';

/** Refuses what would use more than the quotas of its namespace leave, and charges them for the rest. */
export class ResourceQuota implements Plugin<ApiObject> {
  readonly name = 'ResourceQuota';
  readonly #api: Api;
  readonly #ledger: Ledger;
  readonly #evaluators: Evaluators;

  constructor(api: Api, ledger: Ledger) {
    this.#api = api;
    this.#ledger = ledger;
    this.#evaluators = new Evaluators(api.dialect);
  }

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    const evaluator = this.#evaluators.of(resource);
    if (!evaluator) return false;
    const mayUseMore =
      operation === 'CREATE'
        ? subresource === ''
        : operation === 'UPDATE' && evaluator.growsThrough?.includes(subresource);
    return !!mayUseMore && this.#ledger.book.quotas.limitsAny((name) => evaluator.counts(name));
  }

  validate(attributes: Attributes<ApiObject>): void | Promise<void> {
    const { namespace, target } = attributes;
    const quotas = this.#ledger.book.quotas.in(namespace);
    if (quotas.length === 0) return;
    const evaluator = this.#evaluators.of(target.resource)!;
    const charge = new Charge(attributes, evaluator, this.#api.clock.now());
    const counting = quotas.filter(
      (quota) =>
        Object.keys(quota.spec.hard ?? {}).some((name) => evaluator.counts(name)) &&
        isInScope(quota, evaluator, charge.object),
    );
    if (counting.length === 0) return;
    // A limit is to hold from the moment it is written, not only from when it is counted.
    const counted = counting.some(isNew) ? this.#ledger.counted?.(namespace) : undefined;
    return counted ? counted.then(() => this.#ledger.charge(charge)) : this.#ledger.charge(charge);
  }

  reset(): void {
    this.#ledger.reset();
  }
}
