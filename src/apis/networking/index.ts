// The kinds of the API group networking.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { ingresses } from './ingress-definition.ts';
import { ingressclasses } from './ingressclass.ts';
import { ipaddresses, ipaddressesV1beta1 } from './ipaddress.ts';
import { networkpolicies } from './networkpolicy-definition.ts';
import { servicecidrs, servicecidrsV1beta1 } from './servicecidr.ts';

export const networkingKinds = (context: KindContext): ResourceDefinition[] => [
  ingressclasses(context),
  ingresses(context),
  ipaddresses(context),
  networkpolicies(context),
  servicecidrs(context),
  ipaddressesV1beta1(context),
  servicecidrsV1beta1(context),
];
