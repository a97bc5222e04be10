// The kinds of the API group node.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { runtimeclasses } from './runtimeclass.ts';

export const nodeKinds = (context: KindContext): ResourceDefinition[] => [runtimeclasses(context)];
