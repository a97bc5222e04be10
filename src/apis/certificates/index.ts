// The kinds of the API group certificates.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { certificatesigningrequests } from './certificatesigningrequest-definition.ts';
import { clustertrustbundles, clustertrustbundlesV1alpha1 } from './clustertrustbundle.ts';

export const certificatesKinds = (context: KindContext): ResourceDefinition[] => [
  certificatesigningrequests(context),
  clustertrustbundles(context),
  clustertrustbundlesV1alpha1(context),
];
