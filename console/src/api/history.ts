// The history of an object: the events that the server still has, replayed by a watch from the oldest revision.
import type { JsonValue } from '../../../src/codec/json/json-value.ts';
import { encodeYaml } from '../../../src/codec/yaml/encode.ts';
import { collectionPath, type Kind } from './discovery.ts';
import { type ApiObject, withoutManagedFields } from './objects.ts';
import type { Session } from './session.ts';

export interface Revision {
  readonly revision: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ApiObject;
  readonly yaml: string;
}

interface HistoryEvent {
  readonly type: string;
  readonly object: ApiObject & { readonly code?: number; readonly message?: string };
}

/** Oldest first. */
export async function readHistory(
  session: Session,
  kind: Kind,
  namespace: string,
  name: string,
): Promise<readonly Revision[]> {
  let events = await replay(session, kind, namespace, name, '1');
  const [first] = events;
  if (first?.type === 'ERROR') {
    // "too old resource version: 1 (57)": the history starts at 57.
    const oldest = /\((\d+)\)$/.exec(first.object.message ?? '')?.[1];
    events = oldest === undefined ? [] : await replay(session, kind, namespace, name, oldest);
  }
  return events
    .filter(({ type }) => type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED')
    .map(({ type, object }) => ({
      revision: object.metadata.resourceVersion,
      type: type as Revision['type'],
      object,
      yaml: encodeYaml(withoutManagedFields(object) as unknown as JsonValue).trimEnd(),
    }));
}

async function replay(
  session: Session,
  kind: Kind,
  namespace: string,
  name: string,
  revision: string,
): Promise<HistoryEvent[]> {
  const query = new URLSearchParams({
    watch: 'true',
    resourceVersion: revision,
    timeoutSeconds: '1',
    fieldSelector: `metadata.name=${name}`,
  });
  const text = await session.text(`${collectionPath(kind, namespace)}?${query}`);
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as HistoryEvent);
}

/** Writes the object as it was: replaces it, or creates it again if it was deleted. */
export async function restore(
  session: Session,
  kind: Kind,
  { object }: Revision,
  isDeleted: boolean,
): Promise<void> {
  const {
    resourceVersion: _,
    uid: __,
    creationTimestamp: ___,
    deletionTimestamp: ____,
    ...metadata
  } = withoutManagedFields(object).metadata;
  const collection = collectionPath(kind, object.metadata.namespace ?? '');
  const path = isDeleted ? collection : `${collection}/${encodeURIComponent(object.metadata.name)}`;
  await session.json(`${path}?fieldManager=orch-console`, {
    method: isDeleted ? 'POST' : 'PUT',
    body: JSON.stringify({ ...object, metadata }),
  });
}
