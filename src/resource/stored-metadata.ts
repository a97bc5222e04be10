import type { StoredObject } from '../store/store.ts';
import type { ObjectMeta } from './definition.ts';

/** The metadata of a stored object, which is the same in whatever version it was written; undefined where it cannot be read. */
export function storedMetadata({ json }: StoredObject): ObjectMeta | undefined {
  try {
    return (JSON.parse(json.toString()) as { metadata?: ObjectMeta }).metadata;
  } catch {
    return undefined;
  }
}
