// The kinds of the API group apiregistration.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { apiservices } from './apiservice.ts';

export const apiregistrationKinds = (context: KindContext): ResourceDefinition[] => [apiservices(context)];
