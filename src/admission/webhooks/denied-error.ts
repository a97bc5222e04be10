// Admission webhooks: the error for a request that a webhook denies.
import { quote } from '../../errors/quote.ts';
import { ApiError, type StatusDetails, type StatusReason } from '../../errors/status.ts';
import { StatusDetails as DetailsSchema } from '../../kind/meta/status.ts';
import type { AdmissionResponse } from './admission-response.ts';
import type { WebhookAccessor } from './webhook-accessor.ts';

/** The Status error of a denied request, with the code, reason and message of the webhook (upstream: ToStatusErr). */
export function newDeniedError(hook: WebhookAccessor, { status }: AdmissionResponse): ApiError {
  const { message = '', reason = '', code = 0, details } = status ?? {};
  const explanation = message || reason;
  const prefix = `admission webhook ${quote(hook.name)} denied the request`;
  return new ApiError(
    isErrorCode(code) ? code : 400,
    reason as StatusReason,
    explanation === '' ? `${prefix} without explanation` : `${prefix}: ${explanation}`,
    details && (JSON.parse(String(DetailsSchema.write(details))) as StatusDetails),
  );
}

/** Other codes are no HTTP error codes, so the error gets 400. */
const isErrorCode = (code: number) => code >= 400 && code <= 999;
