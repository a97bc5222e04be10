// PodTemplateSpec: schema.
import { ObjectMeta } from '../../kind/meta/object-meta.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import { PodSpec } from './pod-spec.ts';

export const PodTemplateSpec = struct(
  'core/v1.PodTemplateSpec',
  {
    metadata: field(1, ObjectMeta, { doc: 'Labels and annotations of the pods.' }),
    spec: field(2, PodSpec, { doc: 'What the pods are to be.' }),
  },
  { doc: 'What pods made from a template look like.' },
);
export type PodTemplateSpec = Infer<typeof PodTemplateSpec>;
