import { Status } from '../../api/meta/status.ts';
import { typeMeta } from '../../api/meta/type-meta.ts';
import { isObject, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';
import { quote } from '../../errors/quote.ts';
import { jsonBody, UnreadableBody, yamlBody } from '../../resource/sent-body.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { DecodeError } from '../../schema/decoding.ts';
import { bool, bytes, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export type ReviewVersion = 'v1' | 'v1beta1';

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
export interface Verdict extends Pick<Response, 'status' | 'auditAnnotations' | 'warnings'> {
  readonly allowed: boolean;
  /** A JSON patch; undefined where nothing is to be changed. */
  readonly patch: Buffer | undefined;
  /** 'JSONPatch', unless the webhook has its own ideas. */
  readonly patchType: string;
}

/** An answer that is no review, or one that a webhook must not give. */
export class InvalidAnswer extends Error {}

/** What a review that was asked for is held to. */
export interface Asked {
  readonly version: ReviewVersion;
  /** The group of reviews. */
  readonly group: string;
  readonly uid: string;
  readonly mayChange: boolean;
}

/** Reads the body of an answer. Throws UnreadableBody, DecodeError or InvalidAnswer, each with words for the client. */
export function readAnswer(body: Buffer, asked: Asked): Verdict {
  const value = parse(body);
  const { kind = '', apiVersion = '' } = value;
  refuseOtherKind(asked, String(apiVersion), String(kind));
  const { response } = reviews[asked.version].decode(value).object;
  if (!response) throw new InvalidAnswer('webhook response was absent');
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

/** Longer than this, YAML takes its time to read. */
const longestYaml = 256 * 1024;

/** What does not look like JSON is taken for YAML, as the reference does. */
function parse(source: Buffer): JsonObject {
  const isJson = /^\s*[{]/.test(source.subarray(0, 64).toString());
  if (!isJson && source.length > longestYaml) throw new UnreadableBody('the answer is no JSON object');
  const body = isJson ? jsonBody(source) : yamlBody(source);
  const { value } = body.parse();
  if (value === null) return {};
  if (!isObject(value)) throw new UnreadableBody(body.whyNoObject(value));
  for (const key of ['kind', 'apiVersion'] as const) {
    const given: JsonValue | undefined = value[key];
    if (given === null) delete value[key];
    else if (given !== undefined && typeof given !== 'string') {
      throw new UnreadableBody(body.whyNoType(key, given));
    }
  }
  return value;
}

/** What says nothing of its kind is taken for a review, and looked at again. */
function refuseOtherKind({ group, version }: Asked, apiVersion: string, kind: string): void {
  const expected = `${group}/${version}`;
  const [said, saidKind] = [apiVersion || expected, kind || 'AdmissionReview'];
  if (said === expected && saidKind === 'AdmissionReview') return;
  const isReview =
    saidKind === 'AdmissionReview' && Object.keys(reviews).some((one) => said === `${group}/${one}`);
  if (!isReview && !(saidKind === 'Status' && said === 'v1')) {
    throw new DecodeError(
      `no kind ${quote(saidKind)} is registered for version ${quote(said)} in scheme "pkg/runtime/scheme.go:110"`,
    );
  }
  const from = `${said.slice(said.indexOf('/') + 1)}.${saidKind}`;
  throw new DecodeError(`converting (${from}) to (${version}.AdmissionReview): unknown conversion`);
}

/** The older version leaves all this to the webhook's good sense. */
function refuseUnfit(response: Response, asked: Asked, apiVersion: string, kind: string): void {
  const { uid, group, mayChange } = asked;
  if (apiVersion === '' || kind === '') {
    const expected = `${group}/v1, Kind=AdmissionReview`;
    throw new InvalidAnswer(
      `expected webhook response of ${expected}, got ${apiVersion || '/'}, Kind=${kind}`,
    );
  }
  if (response.uid !== uid) {
    throw new InvalidAnswer(`expected response.uid=${quote(uid)}, got ${quote(response.uid ?? '')}`);
  }
  const { patchType } = response;
  const hasPatch = (response.patch?.length ?? 0) > 0;
  if (!mayChange) {
    if (hasPatch) throw new InvalidAnswer('validating webhook may not return response.patch');
    if (patchType !== undefined) {
      throw new InvalidAnswer('validating webhook may not return response.patchType');
    }
    return;
  }
  if (hasPatch && patchType === undefined) {
    throw new InvalidAnswer('webhook returned response.patch but not response.patchType');
  }
  if (!hasPatch && patchType !== undefined) {
    throw new InvalidAnswer('webhook returned response.patchType but not response.patch');
  }
  if (patchType === '') throw new InvalidAnswer('webhook returned invalid response.patchType of ""');
}
