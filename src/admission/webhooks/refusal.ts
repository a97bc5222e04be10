// Admission webhooks: the error for a request that a webhook denies.
import { quote } from '../../errors/quote.ts';
import { ApiError, type StatusDetails, type StatusReason } from '../../errors/status.ts';
import { StatusDetails as DetailsSchema } from '../../kind/meta/status.ts';
import type { Hook } from './hook.ts';
import type { AdmissionResponse } from './review-answer.ts';

/** A webhook's no, as the client reads it: with the code and the reason that the webhook gives, if they are some. */
export function refusalBy(hook: Hook, { status }: AdmissionResponse): ApiError {
  const { message = '', reason = '', code = 0, details } = status ?? {};
  const why = message || reason;
  const said = `admission webhook ${quote(hook.name)} denied the request`;
  return new ApiError(
    isRefusal(code) ? code : 400,
    reason as StatusReason,
    why === '' ? `${said} without explanation` : `${said}: ${why}`,
    details && (JSON.parse(String(DetailsSchema.write(details))) as StatusDetails),
  );
}

/** Codes that HTTP cannot say are as good as none. */
const isRefusal = (code: number) => code >= 400 && code <= 999;
