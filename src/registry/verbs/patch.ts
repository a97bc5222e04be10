import { isObject, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';
import { parseJson } from '../../codec/json/parse.ts';
import { conflict } from '../../errors/catalogue.ts';
import type { ServedKind } from '../../kind/registry.ts';
import { parseStored, showStored } from '../../kind/storage/codec.ts';
import { going } from '../../kind/storage/convert.ts';
import { inVersion } from '../../kind/storage/converted.ts';
import type { Patch } from '../../patch/read-patch.ts';
import { holdsFreeJson } from '../../schema/free-json.ts';
import type { StoredObject } from '../../store/store.ts';
import { type Api, existing, type Target } from '../api.ts';
import type { WriteOptions } from '../options/write-options.ts';
import { readPatched } from '../write/decode-patched.ts';
import { retrying } from '../write/retry-patch.ts';
import { update } from './update.ts';
import { showAs, updateView } from './update-view.ts';

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
    const read = () => going(inVersion(resource, existing(api, target)), readFrom);
    const readFrom = (stored: StoredObject) => {
      const document = view
        ? kind.definition.schema.write(showAs(target, view, stored))
        : showStored(resource, stored);
      const before = change.isAboutOwners ? jsonOf(document) : parseStored(kind, document);
      // The patch uses up the JSON, and with it what an object would hold of it as it is.
      const old = view || holdsFreeJson(kind.definition.schema) ? {} : { old: decoded(kind, before) };
      const was = conditionsOf(before);
      const after = change.apply(before, kind.definition.schema);
      const is = conditionsOf(after.value);
      namesState = was.resourceVersion !== is.resourceVersion || was.uid !== is.uid;
      if (view && typeof is.uid === 'string' && is.uid !== '') refuseOther(target, is.uid, was.uid);
      return { ...readPatched(api.registry, kind, after, options.fieldValidation, said), ...old };
    };
    if (view) {
      const readView = () => going(read(), ({ object }) => ({ view: object }));
      return updateView(api, target, view, readView, options, said);
    }
    const readWhole = () => going(read(), (incoming) => ({ ...incoming, isPatched: true }));
    return (await update(api, target, readWhole, options, said)).object;
  };
  return retrying(warnings, write, () => namesState);
}

const jsonOf = (document: Buffer | string) => parseJson(document).value as JsonObject;
const decoded = ({ definition }: ServedKind, json: JsonObject) => definition.schema.decode(json).object;

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
