// CrossVersionObjectReference (autoscaling/v1): schema.
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const CrossVersionObjectReferenceV1 = struct(
  'autoscaling/v1.CrossVersionObjectReference',
  {
    kind: field(1, string, { required: true, doc: 'The kind of the object.' }),
    name: field(2, string, { required: true, doc: 'The name of the object.' }),
    apiVersion: field(3, string, { doc: 'The group and version of the kind.' }),
  },
  { atomic: true, doc: 'An object in the same namespace, in whatever version.' },
);
export type CrossVersionObjectReferenceV1 = Infer<typeof CrossVersionObjectReferenceV1>;
