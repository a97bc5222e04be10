import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const CrossVersionObjectReferenceV1 = struct(
  'autoscaling/v1.CrossVersionObjectReference',
  {
    kind: field(1, string, { required: true }),
    name: field(2, string, { required: true }),
    apiVersion: field(3, string),
  },
  { atomic: true },
);
export type CrossVersionObjectReferenceV1 = Infer<typeof CrossVersionObjectReferenceV1>;
