// The error of a conversion webhook that failed or returned invalid objects.

import { ApiError } from '../../errors/status.ts';
import type { KindVersion } from '../definition.ts';

interface Failure {
  readonly reason: string;
  /** `reason` is the whole message; otherwise the message starts with the version and kind. */
  readonly isCompleteMessage: boolean;
  /** The call itself failed, so no object of the ConversionReview was converted. */
  readonly isCallFailure: boolean;
}

export class ConversionWebhookError extends ApiError {
  readonly failure: Failure;

  constructor(from: KindVersion, failure: Failure) {
    const { reason, isCompleteMessage } = failure;
    super(
      500,
      '',
      isCompleteMessage ? reason : `conversion webhook for ${from.apiVersion}, Kind=${from.kind} ${reason}`,
    );
    this.failure = failure;
  }

  /** The same failure for an object of another version. */
  forVersion(from: KindVersion): ConversionWebhookError {
    return new ConversionWebhookError(from, this.failure);
  }
}
