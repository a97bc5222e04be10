// Test fixture: asks a store for an index of the resource `things`, and reads it.
import type { ContentRequirement, Store } from '../store.ts';

export type IndexTarget = Pick<ContentRequirement, 'kind' | 'name'>;

/** Reports a list that read a million objects. */
export function requestIndex(store: Store, { kind, name }: IndexTarget): void {
  store.reportScan?.({
    prefix: 'things',
    requirements: [{ kind, name, values: [] }],
    examined: 1_000_000,
    returned: 0,
  });
}

/** The keys that an index has for a value; undefined until it is complete. */
export function candidatesOf(store: Store, target: IndexTarget, value: string): string[] | undefined {
  const view = store.pin();
  const candidates = view.candidates?.({
    prefix: 'things',
    keyPrefix: 'things/',
    after: '',
    requirements: [{ ...target, values: [value] }],
    maxCandidates: 1_000,
  });
  const keys = candidates && [...candidates];
  view.release();
  return keys;
}
