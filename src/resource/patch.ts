import { isObject, type JsonObject, type JsonValue } from '../codec/json/json-value.ts';
import { parseJson } from '../codec/json/parse.ts';
import { badRequest, conflict } from '../errors/catalogue.ts';
import type { Patch, Patched } from '../patch/read-patch.ts';
import type { StoredObject } from '../store/store.ts';
import { type Api, existing, type Target } from './api.ts';
import { parseStored, showStored } from './codec.ts';
import type { WriteOptions } from './options/write-options.ts';
import { readPatched } from './read-patched.ts';
import type { ServedKind } from './registry.ts';
import { retrying } from './retry.ts';
import { update } from './update.ts';
import { showAs, updateThrough } from './view.ts';

/** Changes an object, or what a subresource shows of it, by a patch. */
export async function patch(
  api: Api,
  target: Target,
  change: Patch,
  options: WriteOptions,
  warnings: string[],
): Promise<StoredObject> {
  const { resource, subresource } = target;
  const view = resource.subresource(subresource)?.view;
  const kind = resource.kindOf(subresource);
  let namesState = false;
  const write = async (said: string[]) => {
    // Asked for anew with every state that it is to replace: what somebody else wrote meanwhile is patched, not lost.
    const read = () => {
      const stored = existing(api, target);
      const document = view
        ? kind.definition.schema.write(showAs(target, view, stored))
        : showStored(resource, stored).toString();
      const before = change.isAboutOwners
        ? (parseJson(document).value as JsonObject)
        : parseStored(kind, document);
      const was = conditionsOf(before);
      const after = applied(change, before, kind);
      const is = conditionsOf(after.value);
      namesState = was.resourceVersion !== is.resourceVersion || was.uid !== is.uid;
      if (view && typeof is.uid === 'string' && is.uid !== '') refuseOther(target, is.uid, was.uid);
      return readPatched(api.registry, kind, after, options.fieldValidation, said);
    };
    if (view) return updateThrough(api, target, view, () => ({ view: read() }), options, said);
    return (await update(api, target, () => ({ object: read(), isPatched: true }), options, said)).object;
  };
  return retrying(warnings, write, () => namesState);
}

function applied(change: Patch, before: JsonObject, { definition }: ServedKind): Patched {
  try {
    return change.apply(before, definition.schema);
  } catch (error) {
    if (error instanceof RangeError) throw badRequest('the patch is nested too deeply');
    throw error;
  }
}

/** Of a view the reference compares the uid itself, and says so otherwise than where it leaves that to its store. */
function refuseOther({ resource, subresource, name }: Target, wanted: string, found: JsonValue | undefined) {
  if (wanted === found) return;
  throw conflict(
    { ...resource.subject, resource: `${resource.subject.resource}/${subresource}` },
    name,
    `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`,
  );
}

/** What in an object's metadata says which state of which object a patch is for. */
function conditionsOf(document: JsonValue) {
  const { resourceVersion, uid } = isObject(document) && isObject(document.metadata) ? document.metadata : {};
  return { resourceVersion, uid };
}
