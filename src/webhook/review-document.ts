// Webhooks: review versions and response parsing shared by AdmissionReview and ConversionReview.
import { reviewVersions } from '../apis/webhook-client.ts';
import { isObject, type JsonObject, type JsonValue } from '../codec/json/json-value.ts';
import { quote } from '../errors/quote.ts';
import { DecodeError } from '../schema/decoding.ts';
import { jsonBody, UnreadableBody, yamlBody } from '../serializers/sent-body.ts';

export type ReviewVersion = 'v1' | 'v1beta1';

/** The review that is to come back. */
export interface ExpectedReview {
  readonly group: string;
  readonly version: ReviewVersion;
  readonly kind: string;
}

/** The first version that both sides understand. */
export function versionOf(understood: readonly string[] = []): ReviewVersion {
  return (understood.find((one) => reviewVersions.includes(one)) as ReviewVersion | undefined) ?? 'v1';
}

/** Reads the body of an answer that is to be a review. Throws UnreadableBody or DecodeError, with words for the client. */
export function readReview(body: Buffer, expected: ExpectedReview): JsonObject {
  const value = parse(body);
  const { kind = '', apiVersion = '' } = value;
  refuseOtherKind(expected, String(apiVersion), String(kind));
  return value;
}

/** What a review must say again, and what it says; why that will not do. */
export function whyUnexpected(
  { group, kind, uid }: Omit<ExpectedReview, 'version'> & { readonly uid: string },
  said: { readonly apiVersion: string; readonly kind: string; readonly uid: string },
): string | undefined {
  if (said.apiVersion === '' || said.kind === '') {
    const got = `${said.apiVersion || '/'}, Kind=${said.kind}`;
    return `expected webhook response of ${group}/v1, Kind=${kind}, got ${got}`;
  }
  if (said.uid === uid) return undefined;
  return `expected response.uid=${quote(uid)}, got ${quote(said.uid)}`;
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
function refuseOtherKind(expected: ExpectedReview, apiVersion: string, kind: string): void {
  const { group, version } = expected;
  const [said, saidKind] = [apiVersion || `${group}/${version}`, kind || expected.kind];
  if (said === `${group}/${version}` && saidKind === expected.kind) return;
  const isReview = saidKind === expected.kind && reviewVersions.some((one) => said === `${group}/${one}`);
  if (!isReview && !(saidKind === 'Status' && said === 'v1')) {
    throw new DecodeError(
      `no kind ${quote(saidKind)} is registered for version ${quote(said)} in scheme "pkg/runtime/scheme.go:110"`,
    );
  }
  const from = `${said.slice(said.indexOf('/') + 1)}.${saidKind}`;
  throw new DecodeError(`converting (${from}) to (${version}.${expected.kind}): unknown conversion`);
}
