// Admission webhooks: applies the JSON patch of a webhook's response.
import { isObject, type JsonValue } from '../../codec/json/json-value.ts';
import { JsonSyntaxError, parseJson } from '../../codec/json/parse.ts';
import { internalError } from '../../errors/catalogue.ts';
import { quote } from '../../errors/quote.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Registry, ServedKind } from '../../kind/registry.ts';
import { applyJsonPatch, type JsonPatchOperation, kubeApiserverOptions } from '../../patch/json-patch.ts';
import { decodeJsonPatchLeniently } from '../../patch/json-patch-body.ts';
import { PatchNotApplicable } from '../../patch/patch-error.ts';
import { complete } from '../../registry/write/decode.ts';
import { DecodeError } from '../../schema/decoding.ts';
import { madeBody } from '../../serializers/sent-body.ts';

/** The steps of a patch that a webhook sent. What is wrong with it is the webhook's fault, and so the server's to its clients. */
export function stepsIn(patch: Buffer): readonly JsonPatchOperation[] {
  return blaming(() => decodeJsonPatchLeniently(parseJson(patch, { lastStays: true }).value).operations);
}

/** What the steps make of an object, with defaults filled in. */
export function patched(
  registry: Registry,
  kind: ServedKind,
  object: ApiObject,
  steps: readonly JsonPatchOperation[],
): ApiObject {
  return blaming(() => {
    const document = parseJson(Buffer.from(kind.definition.schema.write(object))).value;
    const read = readAs(registry, kind, applyJsonPatch(document, steps, kubeApiserverOptions));
    // The options of a connection have none.
    read.metadata ??= {};
    complete(kind, read, [], true);
    return read;
  });
}

function readAs(registry: Registry, kind: ServedKind, value: JsonValue): ApiObject {
  if (!isObject(value)) throw new DecodeError(madeBody(value).whyNoObject(value));
  const { apiVersion, kind: said } = value;
  const isSame = (!apiVersion || apiVersion === kind.apiVersion) && (!said || said === kind.kind);
  if (isSame) return kind.definition.schema.decode(value).object;
  const other = registry.ofVersion(String(apiVersion)).find((one) => one.kind === said);
  if (!other) {
    const [shown, version] = [quote(String(said)), quote(String(apiVersion))];
    throw new DecodeError(
      `no kind ${shown} is registered for version ${version} in scheme "pkg/runtime/scheme.go:110"`,
    );
  }
  // The reference reads it as what it has become before it finds that this is no version of what it was.
  other.definition.schema.decode(value);
  throw new DecodeError(
    `unable to convert ${other.apiVersion} ${other.kind} to ${kind.apiVersion} ${kind.kind}`,
  );
}

function blaming<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const isTheirs =
      error instanceof PatchNotApplicable || error instanceof DecodeError || error instanceof JsonSyntaxError;
    throw isTheirs ? internalError(error.message) : error;
  }
}
