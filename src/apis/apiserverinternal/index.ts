// The kinds of the API group internal.apiserver.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { storageversions } from './storageversion.ts';

export const apiserverinternalKinds = (context: KindContext): ResourceDefinition[] => [
  storageversions(context),
];
