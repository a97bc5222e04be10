// Admission webhooks: applies the JSON patch of a webhook's response.
import { JsonSyntaxError, parseJson } from '../../codec/json/parse.ts';
import { internalError } from '../../errors/catalogue.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Registry, ServedKind } from '../../kind/registry.ts';
import { applyJsonPatch, type JsonPatchOperation, kubeApiserverOptions } from '../../patch/json-patch.ts';
import { decodeJsonPatchLeniently } from '../../patch/json-patch-body.ts';
import { PatchNotApplicable } from '../../patch/patch-error.ts';
import { applyDefaults } from '../../registry/write/decode.ts';
import { DecodeError } from '../../schema/decoding.ts';
import { decodePatchedObject } from './decode-patched-object.ts';

/** An invalid patch is an internal error: the client did not cause it. */
export function decodeWebhookPatch(patch: Buffer): readonly JsonPatchOperation[] {
  return asInternalError(
    () => decodeJsonPatchLeniently(parseJson(patch, { lastDuplicateWins: true }).value).operations,
  );
}

/** Applies the operations to an object and sets defaults. */
export function applyWebhookPatch(
  registry: Registry,
  kind: ServedKind,
  object: ApiObject,
  operations: readonly JsonPatchOperation[],
): ApiObject {
  return asInternalError(() => {
    const document = parseJson(Buffer.from(kind.definition.schema.write(object))).value;
    const patched = decodePatchedObject(
      registry,
      kind,
      applyJsonPatch(document, operations, kubeApiserverOptions),
    );
    // The options of CONNECT requests have no metadata.
    patched.metadata ??= {};
    applyDefaults(kind, patched, [], { isPatched: true });
    return patched;
  });
}

/** Turns the errors of decoding and applying a patch into internal errors (500). */
function asInternalError<T>(operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    const isPatchError =
      error instanceof PatchNotApplicable || error instanceof DecodeError || error instanceof JsonSyntaxError;
    throw isPatchError ? internalError(error.message) : error;
  }
}
