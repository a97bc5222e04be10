// The kinds of the API group events.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { events } from './event.ts';

export const eventsKinds = (context: KindContext): ResourceDefinition[] => [events(context.dialect)];
