import { field, type Infer, struct } from '../../schema/struct.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { PodSpec } from './pod-spec.ts';

export const PodTemplateSpec = struct('core/v1.PodTemplateSpec', {
  metadata: field(1, ObjectMeta),
  spec: field(2, PodSpec),
});
export type PodTemplateSpec = Infer<typeof PodTemplateSpec>;
