// PodTemplateSpec: schema.
import { ObjectMeta } from '../../kind/meta/object-meta.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import { PodSpec } from './pod-spec.ts';

export const PodTemplateSpec = struct(
  'core/v1.PodTemplateSpec',
  {
    metadata: field(1, ObjectMeta, { doc: 'The metadata of the pods.' }),
    spec: field(2, PodSpec, { doc: 'The specification of the pods.' }),
  },
  { doc: 'A template from which pods are created.' },
);
export type PodTemplateSpec = Infer<typeof PodTemplateSpec>;
