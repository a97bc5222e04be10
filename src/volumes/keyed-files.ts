// Renders the files of a configMap or secret volume: one per key.
import type { KeyToPath } from '../apis/core/projected-volume.ts';
import { type VolumeFiles, VolumeProblem } from './volume-files.ts';
import type { KeyedObject } from './volume-reader.ts';

export interface KeyedVolumeSource {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  readonly items?: readonly KeyToPath[];
  readonly optional?: boolean;
  readonly defaultMode: number;
}

/** Adds every key, or only the keys in `items`. */
export function addKeyedFiles(
  files: VolumeFiles,
  source: KeyedVolumeSource,
  object: KeyedObject | undefined,
): void {
  const { kind, name, items = [], optional = false, defaultMode } = source;
  if (!object) {
    if (optional) return;
    throw new VolumeProblem(`${kind} ${JSON.stringify(name)} not found, and it is not optional`);
  }
  const contents = decodeContents(kind, object);
  if (items.length === 0) {
    for (const [key, content] of contents) files.add(key, defaultMode, content);
    return;
  }
  for (const { key, path, mode } of items) {
    const content = contents.get(key);
    if (content) files.add(path, mode ?? defaultMode, content);
    else if (!optional) {
      throw new VolumeProblem(
        `${kind} ${JSON.stringify(name)} has no key ${JSON.stringify(key)}, and it is not optional`,
      );
    }
  }
}

function decodeContents(
  kind: KeyedVolumeSource['kind'],
  { data = {}, binaryData = {} }: KeyedObject,
): Map<string, Buffer> {
  const encoding = kind === 'Secret' ? 'base64' : 'utf8';
  const contents = new Map<string, Buffer>();
  for (const [key, value] of Object.entries(data)) contents.set(key, Buffer.from(value, encoding));
  for (const [key, value] of Object.entries(binaryData)) contents.set(key, Buffer.from(value, 'base64'));
  return contents;
}
