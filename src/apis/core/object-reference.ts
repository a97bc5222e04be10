// ObjectReference: schema, comparison and its form in error messages.
import { FormattedValue } from '../../errors/field-error.ts';
import { uid } from '../../kind/meta/object-meta.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const ObjectReference = struct(
  'core/v1.ObjectReference',
  {
    kind: field(1, string, { doc: 'The kind of the object.' }),
    namespace: field(2, string, { doc: 'The namespace of the object.' }),
    name: field(3, string, { doc: 'The name of the object.' }),
    uid: field(4, uid, { doc: 'The UID of the object.' }),
    apiVersion: field(5, string, { doc: 'The API group and version of the object.' }),
    resourceVersion: field(6, string, {
      doc: 'The resourceVersion of the object to which the reference applies.',
    }),
    fieldPath: field(7, string, {
      doc: 'The path of the part of the object that is referenced, such as spec.containers{name}.',
    }),
  },
  { atomic: true, doc: 'A reference to an object or to a part of it.' },
);
export type ObjectReference = Infer<typeof ObjectReference>;

export function isSameReference(a: ObjectReference | undefined, b: ObjectReference | undefined): boolean {
  if (!a || !b) return a === b;
  return ObjectReference.write(a) === ObjectReference.write(b);
}

/** The reference as Go's %#v prints it in error messages; `null` if it is absent. */
export function formatReference(reference: ObjectReference | undefined): FormattedValue {
  if (!reference) return new FormattedValue('null');
  const { kind, namespace, name, uid: id, apiVersion, resourceVersion, fieldPath } = reference;
  const quoteOrEmpty = (value: string | undefined) => JSON.stringify(value ?? '');
  return new FormattedValue(
    `core.ObjectReference{Kind:${quoteOrEmpty(kind)}, Namespace:${quoteOrEmpty(namespace)}, ` +
      `Name:${quoteOrEmpty(name)}, UID:${quoteOrEmpty(id)}, APIVersion:${quoteOrEmpty(apiVersion)}, ` +
      `ResourceVersion:${quoteOrEmpty(resourceVersion)}, FieldPath:${quoteOrEmpty(fieldPath)}}`,
  );
}
