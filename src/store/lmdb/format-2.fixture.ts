import { LABEL_KEY } from './directory.ts';
import { type Durability, Environment } from './environment.ts';

/** Makes of a directory one as it was written before records told the length of their prefix. */
export async function rewriteInFormat2(dir: string, durability: Durability): Promise<void> {
  const environment = Environment.open(dir, 'orch', durability);
  await environment.write(({ objects, versions, meta }) => {
    for (const { key, value } of [...objects.getRange()]) void objects.put(key, older(value));
    for (const { key, value } of [...versions.getRange()]) void versions.put(key, older(value));
    void meta.put(LABEL_KEY, Buffer.from(JSON.stringify({ ...environment.label, format: 2 })));
  });
  await environment.close();
}

function older(record: Buffer): Buffer {
  const header = Buffer.from(record.subarray(0, 36));
  header[0]! &= 1;
  return Buffer.concat([header, record.subarray(38)]);
}
