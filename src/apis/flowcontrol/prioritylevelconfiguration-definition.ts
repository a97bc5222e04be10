// PriorityLevelConfiguration: the resource definition, with the strategy that runs on writes and the status
// subresource.
// Dialect rules: rules in which Orch's own API differs from Kubernetes'.

import type { KindContext } from '../../kind/context.ts';
import { validateBuiltInMetadata } from '../../kind/meta/validation.ts';
import { plainStrategy } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { maxReconciledBytes } from '../../kind/storage/codec.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { PriorityLevelConfiguration } from './prioritylevelconfiguration.ts';
import { priorityLevelTable } from './prioritylevelconfiguration-table.ts';
import { validatePriorityLevel } from './prioritylevelconfiguration-validation.ts';
import { flowControlStatus } from './status-subresource.ts';

export const prioritylevelconfigurations = (context: KindContext) => {
  const baseStrategy = plainStrategy(context, PriorityLevelConfiguration);
  return resource<PriorityLevelConfiguration>({
    group: 'flowcontrol.apiserver',
    version: 'v1',
    kind: 'PriorityLevelConfiguration',
    plural: 'prioritylevelconfigurations',
    namespaced: false,
    schema: PriorityLevelConfiguration,
    maxBytes: maxReconciledBytes,
    table: priorityLevelTable,
    strategy: {
      ...baseStrategy,
      validate: (object) => [...baseStrategy.validate(object), ...validatePriorityLevel(object)],
      validateUpdate: (object) => [
        ...validateBuiltInMetadata(
          object.metadata,
          { namespaced: false, nameRule: nameIsSubdomain },
          context.dialect,
        ),
        ...validatePriorityLevel(object),
      ],
    },
    subresources: { status: flowControlStatus(context, PriorityLevelConfiguration) },
  });
};
