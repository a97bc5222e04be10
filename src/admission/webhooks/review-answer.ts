// Admission webhooks: parses the AdmissionResponse.
import { Status } from '../../kind/meta/status.ts';
import { typeMeta } from '../../kind/meta/type-meta.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { bool, bytes, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { type ReviewVersion, readReview, whyUnexpected } from '../../webhook/review-document.ts';

const reviewOf = (version: ReviewVersion) =>
  struct(`admission/${version}.AdmissionReview`, {
    ...typeMeta,
    response: field(
      2,
      optional(
        struct(`admission/${version}.AdmissionResponse`, {
          uid: field(1, string),
          allowed: field(2, bool),
          status: field(3, optional(Status)),
          patch: field(4, bytes),
          patchType: field(5, optional(named(`admission/${version}.PatchType`, string))),
          auditAnnotations: field(6, mapOf(string)),
          warnings: field(7, list(string)),
        }),
      ),
    ),
  });

const reviews = { v1: reviewOf('v1'), v1beta1: reviewOf('v1beta1') };
type Response = NonNullable<Infer<typeof reviews.v1>['response']>;

/** What a webhook has decided. */
export interface AdmissionResponse extends Pick<Response, 'status' | 'auditAnnotations' | 'warnings'> {
  readonly allowed: boolean;
  /** A JSON patch; undefined where nothing is to be changed. */
  readonly patch: Buffer | undefined;
  /** 'JSONPatch', unless the webhook has its own ideas. */
  readonly patchType: string;
}

/** An answer that is no review, or one that a webhook must not give. */
export class InvalidResponse extends Error {}

/** What a review that was asked for is held to. */
export interface SentReview {
  readonly version: ReviewVersion;
  /** The group of reviews. */
  readonly group: string;
  readonly uid: string;
  readonly mayChange: boolean;
}

/** Reads the body of an answer. Throws UnreadableBody, DecodeError or InvalidAnswer, each with words for the client. */
export function readResponse(body: Buffer, asked: SentReview): AdmissionResponse {
  const value = readReview(body, { ...asked, kind: 'AdmissionReview' });
  const { kind = '', apiVersion = '' } = value;
  const { response } = reviews[asked.version].decode(value).object;
  if (!response) throw new InvalidResponse('webhook response was absent');
  if (asked.version === 'v1') refuseUnfit(response, asked, String(apiVersion), String(kind));
  const { allowed = false, status, auditAnnotations, warnings } = response;
  const patch = response.patch ? Buffer.from(response.patch, 'base64') : undefined;
  const patchType = asked.version === 'v1' ? (response.patchType ?? '') : 'JSONPatch';
  return {
    allowed,
    ...(status && { status }),
    ...(auditAnnotations && { auditAnnotations }),
    ...(warnings && { warnings }),
    patch: patch?.length ? patch : undefined,
    patchType,
  };
}

/** The older version leaves all this to the webhook's good sense. */
function refuseUnfit(response: Response, asked: SentReview, apiVersion: string, kind: string): void {
  const { uid, group, mayChange } = asked;
  const problem = whyUnexpected(
    { uid, group, kind: 'AdmissionReview' },
    { apiVersion, kind, uid: response.uid ?? '' },
  );
  if (problem !== undefined) throw new InvalidResponse(problem);
  const { patchType } = response;
  const hasPatch = (response.patch?.length ?? 0) > 0;
  if (!mayChange) {
    if (hasPatch) throw new InvalidResponse('validating webhook may not return response.patch');
    if (patchType !== undefined) {
      throw new InvalidResponse('validating webhook may not return response.patchType');
    }
    return;
  }
  if (hasPatch && patchType === undefined) {
    throw new InvalidResponse('webhook returned response.patch but not response.patchType');
  }
  if (!hasPatch && patchType !== undefined) {
    throw new InvalidResponse('webhook returned response.patchType but not response.patch');
  }
  if (patchType === '') throw new InvalidResponse('webhook returned invalid response.patchType of ""');
}
