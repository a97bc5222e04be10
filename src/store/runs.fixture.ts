/** Objects for the tests of lists and watches. */
import { encodePairs } from './pairs.ts';
import { Selection } from './selection.ts';
import type { Change, Draft, Store } from './store.ts';

export interface Thing {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly value: string;
}

const HEAD = '{"kind":"Thing","apiVersion":"v1",';

export function draft(name: string, value: string, color = 'red', mark = 'm1'): Draft {
  const start = `${HEAD}"metadata":{"name":${JSON.stringify(name)},"resourceVersion":"`;
  return {
    json: Buffer.from(`${start}"},"value":${JSON.stringify(value)}}`),
    revisionAt: Buffer.byteLength(start),
    itemAt: HEAD.length,
    labels: encodePairs({ color }),
    fields: '',
    mark,
  };
}

export function put(store: Store, name: string, value = 'x', color = 'red', mark = 'm1'): Promise<Change> {
  return store.commit({ prefix: 'things', key: `things/${name}`, draft: draft(name, value, color, mark) });
}

export function remove(store: Store, name: string): Promise<Change> {
  return store.commit({ prefix: 'things', key: `things/${name}`, draft: null });
}

/** A write that is none of ours. */
export function putOther(store: Store): Promise<Change> {
  return store.commit({ prefix: 'others', key: 'others/x', draft: draft('x', '') });
}

export function colored(color: string): Selection {
  return new Selection(`color=${color}`, { labels: (labels) => labels.get('color') === color });
}
