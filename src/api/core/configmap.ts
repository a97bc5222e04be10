import { mapOf } from '../../schema/collections.ts';
import { bool, bytes, string } from '../../schema/scalars.ts';
import { field, type Infer, optional } from '../../schema/struct.ts';
import { kind } from '../meta/kind.ts';

export const ConfigMap = kind(
  'core/v1.ConfigMap',
  {
    immutable: field(4, optional(bool), {
      doc: 'Once true, the data cannot change any more; only the metadata can. It cannot be taken back.',
    }),
    data: field(2, mapOf(string), { doc: 'Texts by key.' }),
    binaryData: field(3, mapOf(bytes), {
      doc: 'Bytes by key, for what is no text. No key may be in both maps.',
    }),
  },
  { doc: 'Settings and small files for others to read.' },
);
export type ConfigMap = Infer<typeof ConfigMap>;
