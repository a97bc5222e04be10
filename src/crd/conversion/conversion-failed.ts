// Conversion webhooks: the error of a failed call or response.

/** The failure types in metrics. */
export type ConversionFailureType =
  | 'call'
  | 'malformed_response'
  | 'partial_response'
  | 'invalid_converted_object';

/** A failed conversion. The error sent to the client prefixes the message with the webhook, unless isCompleteMessage. */
export class ConversionFailed extends Error {
  readonly type: ConversionFailureType;
  /** The message is used as it is, without the prefix that names the webhook. */
  readonly isCompleteMessage: boolean;

  constructor(type: ConversionFailureType, message: string, isCompleteMessage = false) {
    super(message);
    this.type = type;
    this.isCompleteMessage = isCompleteMessage;
  }
}
