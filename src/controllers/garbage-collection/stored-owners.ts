import type { OwnerReference } from '../../resource/definition.ts';
import type { StoredObject } from '../../store/store.ts';

const start = Buffer.from('"ownerReferences":[');
const end = Buffer.from('}]');
const uidStart = Buffer.from('"uid":"');
const string = /"(?:[^"\\]|\\.)*"/g;

/**
 * The text of an object's owner references, '' where it has none: most objects are read no further than that. In an object's
 * bytes they come after its revision, in its metadata.
 */
export function ownersTextOf({ json, revisionAt, revisionLength }: StoredObject): string {
  const after = revisionAt + revisionLength + 1;
  const at = json.indexOf(start, after);
  if (at < 0 || !areOfOneObject(json.toString('latin1', after, at))) return '';
  const from = at + start.length - 1;
  for (let last = json.indexOf(end, from); last >= 0; last = json.indexOf(end, last + 1)) {
    const text = json.toString('utf8', from, last + end.length);
    if (isJson(text)) return text;
  }
  return '';
}

export function readOwners(text: string): readonly OwnerReference[] {
  return text === '' ? none : (JSON.parse(text) as OwnerReference[]);
}

const none: readonly OwnerReference[] = [];

/** An object's uid stands right before its revision. */
export function uidOf({ json, revisionAt }: StoredObject): string {
  const at = json.lastIndexOf(uidStart, revisionAt);
  if (at < 0) return '';
  const from = at + uidStart.length;
  return json.toString('latin1', from, json.indexOf('"', from));
}

/** Whether what stands before and after a text are fields of the same object: it leaves it nowhere, and all it enters it leaves. */
function areOfOneObject(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.replace(string, '').matchAll(/[{}[\]]/g)) {
    depth += bracket === '{' || bracket === '[' ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
