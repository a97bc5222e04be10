// The kinds of the API group flowcontrol.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { flowschemas } from './flowschema-definition.ts';
import { prioritylevelconfigurations } from './prioritylevelconfiguration-definition.ts';

export const flowcontrolKinds = (context: KindContext): ResourceDefinition[] => [
  flowschemas(context),
  prioritylevelconfigurations(context),
];
