// API group apps: its resource definitions.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { controllerrevisions } from './controllerrevision.ts';
import { daemonsets } from './daemonset-definition.ts';
import { deployments } from './deployment-definition.ts';
import { replicasets } from './replicaset-definition.ts';
import { statefulsets } from './statefulset-definition.ts';

export const appsKinds = (context: KindContext): ResourceDefinition[] => [
  controllerrevisions(context.dialect),
  daemonsets(context),
  deployments(context),
  replicasets(context),
  statefulsets(context),
];
