import { ApiError } from '../../errors/status.ts';
import type { KindVersion } from '../definition.ts';

interface Failure {
  /** In words that follow the subject. */
  readonly why: string;
  /** These words are all there is to say. */
  readonly isWhole: boolean;
  /** It says nothing of the objects: others would have failed alike. */
  readonly isOfAll: boolean;
}

/** A webhook could not say what an object is in another version. */
export class NotConverted extends ApiError {
  readonly failure: Failure;

  constructor(from: KindVersion, failure: Failure) {
    const { why, isWhole } = failure;
    super(500, '', isWhole ? why : `conversion webhook for ${from.apiVersion}, Kind=${from.kind} ${why}`);
    this.failure = failure;
  }

  /** The same of another object. */
  of(from: KindVersion): NotConverted {
    return new NotConverted(from, this.failure);
  }
}
