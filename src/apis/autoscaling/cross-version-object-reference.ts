// CrossVersionObjectReference (autoscaling/v1): schema.
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const CrossVersionObjectReferenceV1 = struct(
  'autoscaling/v1.CrossVersionObjectReference',
  {
    kind: field(1, string, { required: true, doc: 'The kind of the object.' }),
    name: field(2, string, { required: true, doc: 'The name of the object.' }),
    apiVersion: field(3, string, { doc: 'The API group and version of the object.' }),
  },
  { atomic: true, doc: 'A reference to an object in the same namespace.' },
);
export type CrossVersionObjectReferenceV1 = Infer<typeof CrossVersionObjectReferenceV1>;
