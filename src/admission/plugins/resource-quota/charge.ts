// ResourceQuota admission: the usage that one request adds to the quotas of its namespace.
import type { ApiObject } from '../../../kind/api-object.ts';
import type { Attributes } from '../../attributes.ts';
import type { Evaluator } from './evaluator.ts';
import { minus, partOf, type Usage } from './usage.ts';

/** A write that is to be charged to the quotas of its namespace. */
export class Charge {
  readonly attributes: Attributes<ApiObject>;
  readonly evaluator: Evaluator;
  /** What is to be written, in the stored version of its kind. */
  readonly object: ApiObject;
  /** Where it will be stored. */
  readonly key: string;
  /** What is used more once it is written. */
  readonly increase: Usage;
  /** Whether something is used less then. */
  readonly hasDecrease: boolean;
  /** What has been charged, by the key of the quota. */
  readonly charged = new Map<string, Charged>();
  /** Something was stored in its place, by this write or by another: which of them is about to be heard. */
  isOvertaken = false;
  /** Nothing came of it: what was charged is about to be given back. */
  hasFailed = false;

  constructor(attributes: Attributes<ApiObject>, evaluator: Evaluator, now: number) {
    const { resource, namespace } = attributes.target;
    this.attributes = attributes;
    this.evaluator = evaluator;
    this.object = resource.toStored(attributes.object);
    this.key = resource.key(namespace, attributes.name);
    const after = evaluator.usage(this.object, now);
    const before = attributes.old && evaluator.usage(resource.toStored(attributes.old), now);
    const difference = before ? minus(after, before) : after;
    this.increase = partOf(difference, (_, { amount }) => amount > 0n);
    this.hasDecrease = [...difference.values()].some(({ amount }) => amount < 0n);
  }
}

export interface Charged {
  /** Of the quota: another of the same name owes nothing. */
  readonly uid: string;
  readonly usage: Usage;
}
