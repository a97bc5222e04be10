import { field, type Infer, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { ResourceClaimSpecV1beta2 } from './resource-claim-spec-v1beta2.ts';

export const ResourceClaimTemplateSpecV1beta2 = struct('resource/v1beta2.ResourceClaimTemplateSpec', {
  metadata: field(1, ObjectMeta),
  spec: field(2, ResourceClaimSpecV1beta2, { required: true }),
});
export type ResourceClaimTemplateSpecV1beta2 = Infer<typeof ResourceClaimTemplateSpecV1beta2>;

export const ResourceClaimTemplateV1beta2 = kind(
  'resource/v1beta2.ResourceClaimTemplate',
  {
    spec: field(2, ResourceClaimTemplateSpecV1beta2, { required: true }),
  },
  { doc: '' },
);
export type ResourceClaimTemplateV1beta2 = Infer<typeof ResourceClaimTemplateV1beta2>;

export const resourceclaimtemplatesV1beta2 = (context: KindContext) =>
  resource<ResourceClaimTemplateV1beta2>({
    group: 'resource',
    version: 'v1beta2',
    kind: 'ResourceClaimTemplate',
    plural: 'resourceclaimtemplates',
    schema: ResourceClaimTemplateV1beta2,
    strategy: { ...plainStrategy(context, ResourceClaimTemplateV1beta2), deleteReturnsObject: true },
  });
