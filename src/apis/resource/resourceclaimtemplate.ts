// ResourceClaimTemplate v1beta1: schema and resource definition.

import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { ObjectMeta } from '../../kind/meta/object-meta.ts';
import { resource } from '../../kind/resource.ts';
import { definitionInVersion } from '../../kind/versions.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import { claimToV1beta2 } from './claim-conversion.ts';
import { claimTemplateStrategy } from './claim-template-strategy.ts';
import { nameAndAgeTable } from './name-and-age-table.ts';
import { ResourceClaimSpec } from './resource-claim-spec.ts';
import { v1alpha3 } from './versions.ts';

const ResourceClaimTemplateSpec = struct(
  'resource/v1beta1.ResourceClaimTemplateSpec',
  {
    metadata: field(1, ObjectMeta, {
      doc: 'Labels and annotations of the claims. No other field is allowed.',
    }),
    spec: field(2, ResourceClaimSpec, {
      required: true,
      doc: 'The specification of the claims, copied unchanged.',
    }),
  },
  { doc: 'The metadata and specification of the generated claims. Immutable.' },
);

export const ResourceClaimTemplate = kind(
  'resource/v1beta1.ResourceClaimTemplate',
  {
    spec: field(2, ResourceClaimTemplateSpec, {
      required: true,
      doc: 'The metadata and specification of the generated claims.',
    }),
  },
  { doc: 'A template for ResourceClaims: one is generated for each pod that refers to it.' },
);
export type ResourceClaimTemplate = Infer<typeof ResourceClaimTemplate>;

export const resourceclaimtemplates = (context: KindContext) =>
  resource<ResourceClaimTemplate>({
    group: 'resource',
    version: 'v1beta1',
    kind: 'ResourceClaimTemplate',
    plural: 'resourceclaimtemplates',
    schema: ResourceClaimTemplate,
    table: nameAndAgeTable,
    strategy: claimTemplateStrategy(context, ResourceClaimTemplate, ({ spec }) => claimToV1beta2(spec.spec)),
  });

/** The same kind in v1alpha3, converted to v1beta1 for storage. */
export const resourceclaimtemplatesV1alpha3 = (context: KindContext) =>
  definitionInVersion('v1alpha3', resourceclaimtemplates(context), v1alpha3.of(ResourceClaimTemplate));
