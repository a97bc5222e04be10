import { field, type Infer, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { alsoIn } from '../versions.ts';
import { ResourceClaimSpec } from './resource-claim-spec.ts';
import { v1alpha3 } from './versions.ts';

export const ResourceClaimTemplateSpec = struct('resource/v1beta1.ResourceClaimTemplateSpec', {
  metadata: field(1, ObjectMeta),
  spec: field(2, ResourceClaimSpec, { required: true }),
});
export type ResourceClaimTemplateSpec = Infer<typeof ResourceClaimTemplateSpec>;

export const ResourceClaimTemplate = kind(
  'resource/v1beta1.ResourceClaimTemplate',
  {
    spec: field(2, ResourceClaimTemplateSpec, { required: true }),
  },
  { doc: '' },
);
export type ResourceClaimTemplate = Infer<typeof ResourceClaimTemplate>;

export const resourceclaimtemplates = (context: KindContext) =>
  resource<ResourceClaimTemplate>({
    group: 'resource',
    version: 'v1beta1',
    kind: 'ResourceClaimTemplate',
    plural: 'resourceclaimtemplates',
    schema: ResourceClaimTemplate,
    strategy: { ...plainStrategy(context, ResourceClaimTemplate), deleteReturnsObject: true },
  });

export const resourceclaimtemplatesV1alpha3 = (context: KindContext) =>
  alsoIn('v1alpha3', resourceclaimtemplates(context), v1alpha3.of(ResourceClaimTemplate));
