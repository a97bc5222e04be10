// Conversion webhooks: the error of a failed call or response.

/** The failure types in metrics. */
export type FailureType = 'call' | 'malformed_response' | 'partial_response' | 'invalid_converted_object';

/** A failed conversion. The message follows the name of the webhook. */
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
