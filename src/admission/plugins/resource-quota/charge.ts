// ResourceQuota admission: the usage that one request adds to the quotas of its namespace.
import type { ApiObject } from '../../../kind/api-object.ts';
import type { Attributes } from '../../attributes.ts';
import type { Evaluator } from './evaluator.ts';
import { minus, partOf, type Usage } from './usage.ts';

/** A write that is to be charged to the quotas of its namespace. */
export class Charge {
  readonly attributes: Attributes<ApiObject>;
  readonly evaluator: Evaluator;
  /** The object to be written, in the storage version. */
  readonly object: ApiObject;
  /** Where it will be stored. */
  readonly key: string;
  /** The usage that the request adds. */
  readonly increase: Usage;
  /** Whether something is used less then. */
  readonly hasDecrease: boolean;
  /** The charged usage, by the key of the quota. */
  readonly charged = new Map<string, Charged>();
  /** An object was stored under this key, by this request or another: the change event is about to arrive. */
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
