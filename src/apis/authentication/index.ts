// The kinds of the API group authentication.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { selfsubjectreviews } from './selfsubjectreview.ts';
import { tokenreviews } from './tokenreview.ts';

export const authenticationKinds = (context: KindContext): ResourceDefinition[] => [
  selfsubjectreviews(context),
  tokenreviews(context),
];
