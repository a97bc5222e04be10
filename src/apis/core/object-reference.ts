// ObjectReference: schema, comparison and its form in error messages.
import { FormattedValue } from '../../errors/field-error.ts';
import { uid } from '../../kind/meta/object-meta.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const ObjectReference = struct(
  'core/v1.ObjectReference',
  {
    kind: field(1, string, { doc: 'Its kind.' }),
    namespace: field(2, string, { doc: 'Its namespace.' }),
    name: field(3, string, { doc: 'Its name.' }),
    uid: field(4, uid, { doc: 'Its UID.' }),
    apiVersion: field(5, string, { doc: 'The group and version it is meant in.' }),
    resourceVersion: field(6, string, { doc: 'The state of it that is meant.' }),
    fieldPath: field(7, string, {
      doc: 'The part of it that is meant, as a path such as spec.containers{name}.',
    }),
  },
  { atomic: true, doc: 'Points to an object or a part of one.' },
);
export type ObjectReference = Infer<typeof ObjectReference>;

export function sameReference(one: ObjectReference | undefined, other: ObjectReference | undefined): boolean {
  if (!one || !other) return one === other;
  return ObjectReference.write(one) === ObjectReference.write(other);
}

/** Formats the reference as Go prints it in error messages. */
export function shownReference(reference: ObjectReference | undefined): FormattedValue {
  if (!reference) return new FormattedValue('null');
  const { kind, namespace, name, uid: id, apiVersion, resourceVersion, fieldPath } = reference;
  const text = (value: string | undefined) => JSON.stringify(value ?? '');
  return new FormattedValue(
    `core.ObjectReference{Kind:${text(kind)}, Namespace:${text(namespace)}, Name:${text(name)}, UID:${text(id)}, ` +
      `APIVersion:${text(apiVersion)}, ResourceVersion:${text(resourceVersion)}, FieldPath:${text(fieldPath)}}`,
  );
}
