// The kinds of the API group resource.
// Dialect rules: rules in which Orch's own API differs from Kubernetes'.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { deviceclasses, deviceclassesV1alpha3, deviceclassesV1beta2 } from './deviceclass.ts';
import { devicetaintrules } from './devicetaintrule-v1alpha3.ts';
import { resourceclaims, resourceclaimsV1alpha3 } from './resourceclaim-definition.ts';
import { resourceclaimsV1beta2 } from './resourceclaim-v1beta2.ts';
import { resourceclaimtemplates, resourceclaimtemplatesV1alpha3 } from './resourceclaimtemplate.ts';
import { resourceclaimtemplatesV1beta2 } from './resourceclaimtemplate-v1beta2.ts';
import { resourceslices } from './resourceslice-definition.ts';
import { resourceslicesV1alpha3 } from './resourceslice-v1alpha3-definition.ts';
import { resourceslicesV1beta2 } from './resourceslice-v1beta2-definition.ts';

export function resourceKinds(context: KindContext): ResourceDefinition[] {
  const kinds = [
    deviceclassesV1beta2(context),
    resourceclaimsV1beta2(context),
    resourceclaimtemplatesV1beta2(context),
    resourceslicesV1beta2(context),
    deviceclasses(context),
    resourceclaims(context),
    resourceclaimtemplates(context),
    resourceslices(context),
    deviceclassesV1alpha3(context),
    devicetaintrules(context),
    resourceclaimsV1alpha3(context),
    resourceclaimtemplatesV1alpha3(context),
    resourceslicesV1alpha3(context),
  ];
  const isGated = context.dialect.rules.deviceKindsNeedFeatureGate;
  return isGated ? kinds.map((kind) => ({ ...kind, gate: 'DynamicResourceAllocation' })) : kinds;
}
