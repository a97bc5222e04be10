// ResourceClaimTemplate v1beta2: schema and resource definition.

import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { resource } from '../../kind/resource.ts';
import { field, type Infer } from '../../schema/struct.ts';
import { claimFromV1beta2, claimToV1beta2 } from './claim-conversion.ts';
import { claimTemplateStrategy } from './claim-template-strategy.ts';
import { nameAndAgeTable } from './name-and-age-table.ts';
import { ResourceClaimTemplateSpecV1beta2 } from './resource-claim-spec-v1beta2.ts';
import type { ResourceClaimTemplate } from './resourceclaimtemplate.ts';

export const ResourceClaimTemplateV1beta2 = kind(
  'resource/v1beta2.ResourceClaimTemplate',
  {
    spec: field(2, ResourceClaimTemplateSpecV1beta2, {
      required: true,
      doc: 'The metadata and specification of the generated claims.',
    }),
  },
  { doc: 'A template for ResourceClaims: one is generated for each pod that refers to it.' },
);
export type ResourceClaimTemplateV1beta2 = Infer<typeof ResourceClaimTemplateV1beta2>;

export const resourceclaimtemplatesV1beta2 = (context: KindContext) =>
  resource<ResourceClaimTemplateV1beta2>({
    group: 'resource',
    version: 'v1beta2',
    kind: 'ResourceClaimTemplate',
    plural: 'resourceclaimtemplates',
    schema: ResourceClaimTemplateV1beta2,
    table: nameAndAgeTable,
    strategy: claimTemplateStrategy(context, ResourceClaimTemplateV1beta2, ({ spec }) => spec.spec),
    conversion: {
      storedVersion: { group: 'resource', version: 'v1beta1' },
      fromStored(stored) {
        const template = stored as ResourceClaimTemplate;
        return { ...template, spec: { ...template.spec, spec: claimToV1beta2(template.spec.spec) } };
      },
      toStored: (object) => ({
        ...object,
        spec: { ...object.spec, spec: claimFromV1beta2(object.spec.spec) },
      }),
    },
  });
