// The kinds of the API group scheduling.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { priorityclasses } from './priorityclass.ts';

export const schedulingKinds = (context: KindContext): ResourceDefinition[] => [priorityclasses(context)];
