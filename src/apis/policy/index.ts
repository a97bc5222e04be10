// The kinds of the API group policy.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { poddisruptionbudgets } from './poddisruptionbudget.ts';

export const policyKinds = (context: KindContext): ResourceDefinition[] => [poddisruptionbudgets(context)];
