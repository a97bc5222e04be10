// garbage-collector-controller: reads ownerReferences and uid from stored bytes without parsing the object.
import { endOfContainer, isIncomplete } from '../../codec/json/parse.ts';
import type { OwnerReference } from '../../kind/api-object.ts';
import type { MonitoredObject } from '../runtime/resource-monitor.ts';

const ownerReferencesStart = Buffer.from('"ownerReferences":[');
const uidStart = Buffer.from('"uid":"');

/** The JSON of metadata.ownerReferences, which follow the resourceVersion; '' without owners, or if the bytes are corrupt. */
export function ownerReferencesJson({ json, revisionOffset, revisionLength }: MonitoredObject): string {
  const start = json.indexOf(ownerReferencesStart, revisionOffset);
  if (start < 0) return '';
  // A match after the metadata belongs to an embedded object, such as a pod template.
  const betweenRevisionAndMatch = json.toString('latin1', revisionOffset + revisionLength + 1, start);
  const isInMetadata = isIncomplete(betweenRevisionAndMatch);
  if (!isInMetadata) return '';
  const text = json.toString('utf8', start + ownerReferencesStart.length - 1);
  try {
    return text.slice(0, endOfContainer(text, 0));
  } catch {
    return '';
  }
}

/** Parses the result of `ownerReferencesJson`. Corrupt references are left out. */
export function parseOwnerReferences(text: string): readonly OwnerReference[] {
  if (text === '') return noOwners;
  try {
    const references = JSON.parse(text) as (OwnerReference | null)[];
    return references.includes(null)
      ? references.filter((each) => each !== null)
      : (references as OwnerReference[]);
  } catch {
    return noOwners;
  }
}

const noOwners: readonly OwnerReference[] = [];

/** The uid directly precedes the resourceVersion. Returns '' for an object without one. */
export function uidOf({ json, revisionOffset }: MonitoredObject): string {
  const fieldStart = json.lastIndexOf(uidStart, revisionOffset);
  if (fieldStart < 0) return '';
  const uidOffset = fieldStart + uidStart.length;
  return json.toString('latin1', uidOffset, json.indexOf('"', uidOffset));
}
