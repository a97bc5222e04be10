// ResourceQuota admission: one request, with the usage that it adds to the quotas of its namespace.
import type { ApiObject } from '../../../kind/api-object.ts';
import type { Attributes } from '../../attributes.ts';
import type { QuotaEvaluator } from './evaluator.ts';
import { filterUsage, subtractUsage, type Usage } from './usage.ts';

/** A request that is charged to the quotas of its namespace. */
export class Charge {
  readonly attributes: Attributes<ApiObject>;
  readonly evaluator: QuotaEvaluator;
  /** The object to be written, in the storage version. */
  readonly object: ApiObject;
  /** The store key of the object. */
  readonly key: string;
  /** The usage that the request adds. */
  readonly increase: Usage;
  /** Whether the request lowers the usage of a resource. */
  readonly hasDecrease: boolean;
  /** What the quotas were charged so far, by the key of the quota; a refund takes it back. */
  readonly charged = new Map<string, QuotaCharge>();
  /** An object was stored under this key, by this request or another: the change event is about to arrive. */
  isObserved = false;
  /** The request failed and is about to be refunded. */
  hasFailed = false;

  constructor(attributes: Attributes<ApiObject>, evaluator: QuotaEvaluator, now: number) {
    const { resource, namespace } = attributes.target;
    this.attributes = attributes;
    this.evaluator = evaluator;
    this.object = resource.toStored(attributes.object);
    this.key = resource.key(namespace, attributes.name);
    const newUsage = evaluator.usage(this.object, now);
    const oldUsage = attributes.oldObject && evaluator.usage(resource.toStored(attributes.oldObject), now);
    const difference = oldUsage ? subtractUsage(newUsage, oldUsage) : newUsage;
    this.increase = filterUsage(difference, (_, { amount }) => amount > 0n);
    this.hasDecrease = [...difference.values()].some(({ amount }) => amount < 0n);
  }
}

/** The amount that one quota was charged. */
export interface QuotaCharge {
  /** The UID of the quota: a recreated quota of the same name is not refunded. */
  readonly uid: string;
  readonly usage: Usage;
}
