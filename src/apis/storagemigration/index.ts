// The kinds of the API group storagemigration.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { storageversionmigrations } from './storageversionmigration.ts';

export const storagemigrationKinds = (context: KindContext): ResourceDefinition[] => [
  storageversionmigrations(context),
];
