// API group batch: its resource definitions.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { cronjobs } from './cronjob-definition.ts';
import { jobs } from './job-definition.ts';

export const batchKinds = (context: KindContext): ResourceDefinition[] => [cronjobs(context), jobs(context)];
