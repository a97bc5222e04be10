// The kinds of the API group discovery.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { endpointslices } from './endpointslice-definition.ts';

export const discoveryKinds = (context: KindContext): ResourceDefinition[] => [endpointslices(context)];
