/**
 * Makes the file a copy of all that etcd holds at one revision. What was there is void, its history too. Until all is
 * written the file says that it knows nothing, so that half a copy is never taken for a whole one.
 */
import type { Environment } from '../lmdb/environment.ts';
import { recordOf } from '../lmdb/record.ts';
import { expiryKey, type State, type Tables, writeState } from '../lmdb/tables.ts';
import type { Revision } from '../store.ts';
import type { Marker, Standing } from './marker.ts';
import type { EtcdClient } from './rpc/etcd-client.ts';
import type { KeyValue } from './rpc/messages.ts';
import { readValue, type Valued } from './value.ts';

/** Few enough that a page of large objects is no burden, many enough that small ones come quickly. */
export const PAGE = 500;

export interface Range {
  /** What the keys begin with, and the first text behind all of these. */
  readonly key: string;
  readonly end: string;
}

/** All keys under a prefix. */
export function rangeOf(prefix: string): Range {
  return { key: `${prefix}/`, end: `${prefix}0` };
}

/** The state it is a copy of is told: the watch goes on after it. */
export async function copyAll(
  client: EtcdClient,
  range: Range,
  marker: Marker,
  environment: Environment,
): Promise<Standing> {
  const { header, ...first } = await client.range({ ...range, limit: PAGE });
  let { kvs, more } = first;
  const standing = await marker.read(header.revision);
  await environment.write((tables) => {
    clear(tables);
    tables.meta.put('state', writeState(nothing));
  });
  let objects = 0;
  let newest = standing.ours;
  for (;;) {
    const page = kvs;
    await environment.write((tables) => {
      for (const kv of page) if (put(tables, range, kv, marker.ours(kv.modRevision))) objects++;
    });
    for (const { modRevision } of page) newest = Math.max(newest, marker.ours(modRevision));
    const last = page[page.length - 1];
    if (!more || !last) break;
    const { revision } = header;
    ({ kvs, more } = await client.range({ ...range, key: `${last.key}\0`, limit: PAGE, revision }));
  }
  await environment.write((tables) => {
    tables.meta.put('state', writeState({ revision: newest, compacted: newest, objects }));
    tables.meta.put(SOURCE, Buffer.from(marker.sourceIn(standing.clusterId)));
  });
  return { ...standing, revision: marker.ours(header.revision) };
}

/** Which etcd the file is a copy of. */
export function sourceOf({ reading }: Environment): string | undefined {
  return reading.tables.meta.get(SOURCE, reading.options)?.toString();
}

/** Shorter than eight bytes, a key beside others was seen not to be found at times. */
const SOURCE = 'copied-from';
const nothing: State = { revision: 0, compacted: 0, objects: 0 };

function clear({ objects, versions, log, order, expiries }: Tables): void {
  for (const table of [objects, versions, log, order, expiries]) void table.clearAsync();
}

function put(tables: Tables, range: Range, { key: path, value }: KeyValue, revision: Revision): boolean {
  const key = path.slice(range.key.length);
  const read: Valued | undefined = readValue(key, value);
  if (!read) return false;
  const { prefix, draft } = read;
  tables.objects.put(key, recordOf(prefix, draft, revision));
  if (draft.expiresAt !== undefined)
    tables.expiries.put(expiryKey(draft.expiresAt, key), Buffer.from(prefix));
  return true;
}
