// The kinds of the API group apiextensions.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { customresourcedefinitions } from './customresourcedefinition.ts';

export const apiextensionsKinds = (context: KindContext): ResourceDefinition[] => [
  customresourcedefinitions(context),
];
