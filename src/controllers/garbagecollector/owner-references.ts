// garbage-collector-controller: reads ownerReferences and uid from stored bytes without parsing the object.
import { endOfContainer, isIncomplete } from '../../codec/json/parse.ts';
import type { OwnerReference } from '../../kind/api-object.ts';
import type { MonitoredObject } from '../runtime/resource-monitor.ts';

const ownerReferencesStart = Buffer.from('"ownerReferences":[');
const uidStart = Buffer.from('"uid":"');

/** The JSON of metadata.ownerReferences; '' without owners. */
export function ownerReferencesJson({ json, revisionOffset, revisionLength }: MonitoredObject): string {
  const at = json.indexOf(ownerReferencesStart, revisionOffset);
  // A match after the metadata belongs to an embedded object, such as a pod template.
  if (at < 0 || !isIncomplete(json.toString('latin1', revisionOffset + revisionLength + 1, at))) return '';
  const text = json.toString('utf8', at + ownerReferencesStart.length - 1);
  try {
    return text.slice(0, endOfContainer(text, 0));
  } catch {
    return '';
  }
}

export function parseOwnerReferences(text: string): readonly OwnerReference[] {
  return text === '' ? none : (JSON.parse(text) as OwnerReference[]);
}

const none: readonly OwnerReference[] = [];

/** The uid directly precedes the resourceVersion. */
export function uidOf({ json, revisionOffset }: MonitoredObject): string {
  const at = json.lastIndexOf(uidStart, revisionOffset);
  if (at < 0) return '';
  const from = at + uidStart.length;
  return json.toString('latin1', from, json.indexOf('"', from));
}
