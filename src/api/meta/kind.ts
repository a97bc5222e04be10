import { string } from '../../schema/scalars.ts';
import { type Field, type Fields, field, Struct, type StructValue } from '../../schema/struct.ts';
import { ObjectMeta } from './object-meta.ts';

// Protobuf carries these two in the envelope around the object.
const typeMeta = {
  kind: field(1, string, { filled: true, doc: 'Which kind of object this is.' }),
  apiVersion: field(2, string, {
    filled: true,
    doc: 'The group and version that this form of the object belongs to.',
  }),
};

type KindFields<F extends Fields> = typeof typeMeta & { readonly metadata: Field<ObjectMeta, true> } & F;

/** A struct that is a kind of its own: `kind`, `apiVersion` and `metadata` come first. */
export function kind<F extends Fields>(
  fullName: string,
  fields: F,
  options: { readonly doc: string; readonly metadataRequired?: boolean },
): Struct<StructValue<KindFields<F>>, KindFields<F>> {
  const metadata = field(1, ObjectMeta, {
    required: options.metadataRequired ?? false,
    doc: 'What every object has: its name, labels and so on.',
  });
  return new Struct(fullName, { ...typeMeta, metadata, ...fields }, { doc: options.doc });
}
