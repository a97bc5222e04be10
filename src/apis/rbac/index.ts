// The kinds of the API group rbac.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { clusterroles } from './clusterrole-definition.ts';
import { clusterrolebindings } from './clusterrolebinding.ts';
import { roles } from './role.ts';
import { rolebindings } from './rolebinding-definition.ts';

export const rbacKinds = (context: KindContext): ResourceDefinition[] => [
  clusterrolebindings(context),
  clusterroles(context),
  rolebindings(context),
  roles(context),
];
