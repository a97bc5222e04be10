// Test fixture: data directories of format 2.
import { LABEL_KEY } from './directory.ts';
import { type Durability, LmdbEnvironment } from './environment.ts';

/** Rewrites a directory in format 2, in which records do not contain the length of their prefix. */
export async function rewriteInFormat2(dir: string, durability: Durability): Promise<void> {
  const environment = LmdbEnvironment.open(dir, 'orch', durability);
  await environment.write(({ objects, versions, meta }) => {
    for (const { key, value } of [...objects.getRange()]) void objects.put(key, toFormat2(value));
    for (const { key, value } of [...versions.getRange()]) void versions.put(key, toFormat2(value));
    void meta.put(LABEL_KEY, Buffer.from(JSON.stringify({ ...environment.label, format: 2 })));
  });
  await environment.close();
}

function toFormat2(record: Buffer): Buffer {
  const header = Buffer.from(record.subarray(0, 36));
  header[0]! &= 1;
  return Buffer.concat([header, record.subarray(38)]);
}
