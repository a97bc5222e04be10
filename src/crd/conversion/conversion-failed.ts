// Conversion webhooks: the error of a failed call or response.

/** The failure types in metrics. */
export type ConversionFailureType =
  | 'call'
  | 'malformed_response'
  | 'partial_response'
  | 'invalid_converted_object';

export class ConversionFailed extends Error {
  readonly type: ConversionFailureType;
  /** The client gets the message as it is. Otherwise the server adds a prefix that names the webhook. */
  readonly isCompleteMessage: boolean;

  constructor(
    type: ConversionFailureType,
    message: string,
    { isCompleteMessage = false }: { readonly isCompleteMessage?: boolean } = {},
  ) {
    super(message);
    this.type = type;
    this.isCompleteMessage = isCompleteMessage;
  }
}
