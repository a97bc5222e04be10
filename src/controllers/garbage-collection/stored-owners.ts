import type { OwnerReference } from '../../resource/definition.ts';
import { metadataAfterRevision } from '../../resource/stored-metadata.ts';
import type { StoredObject } from '../../store/store.ts';

const start = Buffer.from('"ownerReferences":[');
const uidStart = Buffer.from('"uid":"');

/** The text of an object's owner references, '' where it has none: most objects are read no further than that. */
export function ownersTextOf(stored: StoredObject): string {
  const { json, revisionAt } = stored;
  if (json.indexOf(start, revisionAt) < 0) return '';
  try {
    const { ownerReferences } = metadataAfterRevision(stored);
    return ownerReferences ? JSON.stringify(ownerReferences) : '';
  } catch {
    return '';
  }
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
