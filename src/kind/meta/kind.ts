// Schema builder for top-level kinds: adds TypeMeta and ObjectMeta to the fields.

import {
  type Field,
  type Fields,
  field,
  Struct,
  type StructOptions,
  type StructValue,
} from '../../schema/struct.ts';
import { ObjectMeta } from './object-meta.ts';
import { typeMeta } from './type-meta.ts';

type KindFields<F extends Fields> = typeof typeMeta & { readonly metadata: Field<ObjectMeta, true> } & F;

interface KindOptions<T> extends StructOptions<T> {
  readonly doc: string;
  /** `metadata` is required in the OpenAPI schema. */
  readonly metadataRequired?: boolean;
}

/** Declares a struct with `kind`, `apiVersion` and `metadata` before its own fields. */
export function kind<F extends Fields>(
  fullName: string,
  fields: F,
  options: KindOptions<StructValue<KindFields<F>>>,
): Struct<StructValue<KindFields<F>>, KindFields<F>> {
  const metadata = field(1, ObjectMeta, {
    required: options.metadataRequired ?? false,
    doc: 'The standard object metadata.',
  });
  return new Struct(fullName, { ...typeMeta, metadata, ...fields }, options);
}
