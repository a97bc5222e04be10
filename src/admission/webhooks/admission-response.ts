// Admission webhooks: decodes the AdmissionReview that a webhook responds with, and verifies its AdmissionResponse.
import { Status } from '../../kind/meta/status.ts';
import { typeMeta } from '../../kind/meta/type-meta.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { bool, bytes, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { type ReviewVersion, readReview, responseMismatch } from '../../webhook/review-document.ts';

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

/** The decoded response of a webhook. */
export interface AdmissionResponse extends Pick<Response, 'status' | 'auditAnnotations' | 'warnings'> {
  readonly allowed: boolean;
  /** A JSON patch; undefined if the object stays unchanged. */
  readonly patch: Buffer | undefined;
  /** The only supported value is `JSONPatch`. */
  readonly patchType: string;
}

/** The response violates the contract of AdmissionReview. */
export class InvalidResponse extends Error {}

/** The review that the webhook responds to. */
export interface SentReview {
  readonly version: ReviewVersion;
  /** The API group of AdmissionReview. */
  readonly group: string;
  readonly uid: string;
  readonly mayPatch: boolean;
}

/**
 * Decodes a response body. Throws UndecodableBody, DecodeError or InvalidResponse, each with the message for the
 * client.
 */
export function readAdmissionResponse(body: Buffer, sent: SentReview): AdmissionResponse {
  const value = readReview(body, { ...sent, kind: 'AdmissionReview' });
  const { kind = '', apiVersion = '' } = value;
  const { response } = reviews[sent.version].decode(value).object;
  if (!response) throw new InvalidResponse('webhook response was absent');
  if (sent.version === 'v1') verifyAdmissionResponse(response, sent, String(apiVersion), String(kind));
  const { allowed = false, status, auditAnnotations, warnings } = response;
  const patch = response.patch ? Buffer.from(response.patch, 'base64') : undefined;
  const patchType = sent.version === 'v1' ? (response.patchType ?? '') : 'JSONPatch';
  return {
    allowed,
    ...(status && { status }),
    ...(auditAnnotations && { auditAnnotations }),
    ...(warnings && { warnings }),
    patch: patch?.length ? patch : undefined,
    patchType,
  };
}

/** Throws InvalidResponse. The rules are those for v1; responses of v1beta1 are not verified. */
function verifyAdmissionResponse(
  response: Response,
  sent: SentReview,
  apiVersion: string,
  kind: string,
): void {
  const { uid, group, mayPatch } = sent;
  const problem = responseMismatch(
    { uid, group, kind: 'AdmissionReview' },
    { apiVersion, kind, uid: response.uid ?? '' },
  );
  if (problem !== undefined) throw new InvalidResponse(problem);
  const { patchType } = response;
  const hasPatch = (response.patch?.length ?? 0) > 0;
  if (!mayPatch) {
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
