// The error of a failed conversion webhook.

import { ApiError } from '../../errors/status.ts';
import type { KindVersion } from '../definition.ts';

interface Failure {
  readonly why: string;
  /** `why` is the whole message. */
  readonly isWhole: boolean;
  /** The call failed, whatever its objects. */
  readonly isOfAll: boolean;
}

export class NotConverted extends ApiError {
  readonly failure: Failure;

  constructor(from: KindVersion, failure: Failure) {
    const { why, isWhole } = failure;
    super(500, '', isWhole ? why : `conversion webhook for ${from.apiVersion}, Kind=${from.kind} ${why}`);
    this.failure = failure;
  }

  /** The same failure for an object of another version. */
  of(from: KindVersion): NotConverted {
    return new NotConverted(from, this.failure);
  }
}
