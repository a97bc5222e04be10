// Webhooks: review versions and response parsing shared by AdmissionReview and ConversionReview.
import { reviewVersions } from '../apis/webhook-client.ts';
import { isObject, type JsonObject, type JsonValue } from '../codec/json/json-value.ts';
import { quote } from '../errors/quote.ts';
import { DecodeError } from '../schema/decoding.ts';
import { jsonBody, UndecodableBody, yamlBody } from '../serializers/request-body.ts';

export type ReviewVersion = 'v1' | 'v1beta1';

/** The review that the response must contain. */
export interface ExpectedReview {
  readonly group: string;
  readonly version: ReviewVersion;
  readonly kind: string;
}

/** The first of the webhook's review versions that this server supports; v1 if there is none. */
export function selectReviewVersion(supportedByWebhook: readonly string[] = []): ReviewVersion {
  return (
    (supportedByWebhook.find((version) => reviewVersions.includes(version)) as ReviewVersion | undefined) ??
    'v1'
  );
}

/** Parses a response body and checks its kind. Throws UndecodableBody or DecodeError, with the message for the client. */
export function readReview(body: Buffer, expected: ExpectedReview): JsonObject {
  const value = parseReviewBody(body);
  const { kind = '', apiVersion = '' } = value;
  requireReviewKind(expected, String(apiVersion), String(kind));
  return value;
}

/** The error text for a response whose type or uid is not that of the request; undefined if they match. */
export function responseMismatch(
  { group, kind, uid }: Omit<ExpectedReview, 'version'> & { readonly uid: string },
  received: { readonly apiVersion: string; readonly kind: string; readonly uid: string },
): string | undefined {
  if (received.apiVersion === '' || received.kind === '') {
    const type = `${received.apiVersion || '/'}, Kind=${received.kind}`;
    return `expected webhook response of ${group}/v1, Kind=${kind}, got ${type}`;
  }
  if (received.uid === uid) return undefined;
  return `expected response.uid=${quote(uid)}, got ${quote(received.uid)}`;
}

/** YAML parsing is slow, so larger bodies must be JSON. */
const maxYamlBytes = 256 * 1024;

/** A body that does not start with `{` is parsed as YAML, as in kube-apiserver. */
function parseReviewBody(source: Buffer): JsonObject {
  const isJson = /^\s*[{]/.test(source.subarray(0, 64).toString());
  if (!isJson && source.length > maxYamlBytes) throw new UndecodableBody('the answer is no JSON object');
  const body = isJson ? jsonBody(source) : yamlBody(source);
  const { value } = body.parse();
  if (value === null) return {};
  if (!isObject(value)) throw new UndecodableBody(body.notAnObjectMessage(value));
  for (const key of ['kind', 'apiVersion'] as const) {
    const typeField: JsonValue | undefined = value[key];
    if (typeField === null) delete value[key];
    else if (typeField !== undefined && typeof typeField !== 'string') {
      throw new UndecodableBody(body.invalidTypeMetaMessage(key, typeField));
    }
  }
  return value;
}

/**
 * Throws DecodeError with kube-apiserver's text for a body of another kind or version. An absent apiVersion or kind passes
 * here; `responseMismatch` rejects it for v1.
 */
function requireReviewKind(expected: ExpectedReview, apiVersion: string, kind: string): void {
  const { group, version } = expected;
  const expectedVersion = `${group}/${version}`;
  const [receivedVersion, receivedKind] = [apiVersion || expectedVersion, kind || expected.kind];
  if (receivedVersion === expectedVersion && receivedKind === expected.kind) return;
  const isReview =
    receivedKind === expected.kind && reviewVersions.some((each) => receivedVersion === `${group}/${each}`);
  if (!isReview && !(receivedKind === 'Status' && receivedVersion === 'v1')) {
    throw new DecodeError(
      `no kind ${quote(receivedKind)} is registered for version ${quote(receivedVersion)} in scheme "pkg/runtime/scheme.go:110"`,
    );
  }
  const from = `${receivedVersion.slice(receivedVersion.indexOf('/') + 1)}.${receivedKind}`;
  throw new DecodeError(`converting (${from}) to (${version}.${expected.kind}): unknown conversion`);
}
