// Conversion webhooks: the error of a failed call or response.

/** What metrics call the ways to fail. */
export type FailureType = 'call' | 'malformed_response' | 'partial_response' | 'invalid_converted_object';

/** A webhook that did not convert what it was asked to, in words that follow its subject. */
export class ConversionFailed extends Error {
  readonly type: FailureType;
  /** The words are all there is to say. */
  readonly isWhole: boolean;

  constructor(type: FailureType, why: string, isWhole = false) {
    super(why);
    this.type = type;
    this.isWhole = isWhole;
  }
}
