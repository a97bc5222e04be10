// The kinds of the API group authorization.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { localsubjectaccessreviews } from './localsubjectaccessreview.ts';
import { selfsubjectaccessreviews } from './selfsubjectaccessreview.ts';
import { selfsubjectrulesreviews } from './selfsubjectrulesreview.ts';
import { subjectaccessreviews } from './subjectaccessreview.ts';

export const authorizationKinds = (context: KindContext): ResourceDefinition[] => [
  localsubjectaccessreviews(context),
  selfsubjectaccessreviews(context),
  selfsubjectrulesreviews(context),
  subjectaccessreviews(context),
];
