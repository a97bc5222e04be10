// Pipeline stage applyPatch: applies a JSON patch, merge patch, strategic merge patch or server-side apply to the
// current object, or to its view (a subresource such as `scale` that shows the object as another kind).
import { isObject, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';
import { parseJson } from '../../codec/json/parse.ts';
import { conflict } from '../../errors/catalogue.ts';
import { parseStored, storedJsonInVersion } from '../../kind/storage/codec.ts';
import { mapMaybePromise } from '../../kind/storage/convert.ts';
import { convertToVersion } from '../../kind/storage/convert-stored.ts';
import type { Patch } from '../../patch/decode-patch.ts';
import { holdsFreeJson } from '../../schema/free-json.ts';
import type { StoredObject } from '../../store/store.ts';
import type { Target } from '../target.ts';
import { existing } from '../verb-context.ts';
import { viewOfStored } from '../view.ts';
import { applyToCurrent } from './apply/apply-to-current.ts';
import type { WriteContext } from './context.ts';
import { setDecoded } from './decode.ts';
import { decodePatched } from './decode-patched.ts';

export function applyPatch(context: WriteContext): void | Promise<void> {
  const { patch, configuration } = context;
  if (configuration) return applyToCurrent(context, configuration);
  if (!patch) return;
  const { api, target } = context;
  const stored = existing(api, target);
  context.stored = stored;
  return mapMaybePromise(convertToVersion(target.resource, stored), (converted) =>
    patchStored(context, patch, converted),
  );
}

function patchStored(context: WriteContext, patch: Patch, stored: StoredObject): void {
  const { api, target, options, warnings } = context;
  const { resource, subresource } = target;
  const view = resource.subresource(subresource)?.view;
  const kind = resource.kindOf(subresource);
  const { schema } = kind.definition;
  const document = view
    ? schema.write(viewOfStored(target, view, stored))
    : storedJsonInVersion(resource, stored);
  const json = patch.mayReferToManagedFields ? parseJsonObject(document) : parseStored(kind, document);
  // The old object is decoded from the parsed JSON, unless it has free-form JSON: it would share that with the patched object.
  if (!view && !holdsFreeJson(schema)) context.old = schema.decode(json).object;
  const before = preconditionsIn(json);
  const patched = patch.apply(json, schema);
  const after = preconditionsIn(patched.value);
  context.hasPreconditions = before.resourceVersion !== after.resourceVersion || before.uid !== after.uid;
  if (view && typeof after.uid === 'string' && after.uid !== '') {
    assertViewUid(target, after.uid, before.uid);
  }
  setDecoded(context, decodePatched(api.registry, kind, patched, options.fieldValidation, warnings));
}

const parseJsonObject = (document: Buffer | string) => parseJson(document).value as JsonObject;

/** kube-apiserver's scale handler compares the uid itself, with another message than its storage layer. */
function assertViewUid(
  { resource, subresource, name }: Target,
  expected: string,
  actual: JsonValue | undefined,
): void {
  if (expected === actual) return;
  throw conflict(
    { ...resource.subject, resource: `${resource.subject.resource}/${subresource}` },
    name,
    `Precondition failed: UID in precondition: ${expected}, UID in object meta: ${actual}`,
  );
}

/** The metadata that a patch can set as a precondition. A patch that leaves both as they are has none. */
function preconditionsIn(document: JsonValue) {
  const { resourceVersion, uid } = isObject(document) && isObject(document.metadata) ? document.metadata : {};
  return { resourceVersion, uid };
}
