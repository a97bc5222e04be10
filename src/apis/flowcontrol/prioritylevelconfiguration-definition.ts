// PriorityLevelConfiguration: the resource definition, with the strategy that runs on writes and the status
// subresource.
// Dialect rules: rules in which Orch's own API differs from Kubernetes'.

import type { KindContext } from '../../kind/context.ts';
import { plainStrategy, statusSubresourceKeepingMetadata } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { validateConditions } from './conditions.ts';
import { PriorityLevelConfiguration } from './prioritylevelconfiguration.ts';
import { priorityLevelTable } from './prioritylevelconfiguration-table.ts';
import { validatePriorityLevel } from './prioritylevelconfiguration-validation.ts';

export const prioritylevelconfigurations = (context: KindContext) => {
  const baseStrategy = plainStrategy(context, PriorityLevelConfiguration);
  return resource<PriorityLevelConfiguration>({
    group: 'flowcontrol.apiserver',
    version: 'v1',
    kind: 'PriorityLevelConfiguration',
    plural: 'prioritylevelconfigurations',
    namespaced: false,
    schema: PriorityLevelConfiguration,
    table: priorityLevelTable,
    strategy: {
      ...baseStrategy,
      validate: validatePriorityLevel,
      validateUpdate: validatePriorityLevel,
    },
    subresources: {
      status: statusSubresourceKeepingMetadata(context, PriorityLevelConfiguration, (object) =>
        validateConditions(object.status.conditions, context.dialect.rules),
      ),
    },
  });
};
