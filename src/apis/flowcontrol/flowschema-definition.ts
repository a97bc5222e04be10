// FlowSchema: the resource definition, with the strategy that runs on writes and the status subresource.
// Dialect rules: rules in which Orch's own API differs from Kubernetes'.

import type { KindContext } from '../../kind/context.ts';
import { validateBuiltInMetadata } from '../../kind/meta/validation.ts';
import { plainStrategy } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { maxReconciledBytes } from '../../kind/storage/codec.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { FlowSchema } from './flowschema.ts';
import { flowSchemaTable } from './flowschema-table.ts';
import { validateFlowSchema } from './flowschema-validation.ts';
import { flowControlStatus } from './status-subresource.ts';

export const flowschemas = (context: KindContext) => {
  const baseStrategy = plainStrategy(context, FlowSchema);
  return resource<FlowSchema>({
    group: 'flowcontrol.apiserver',
    version: 'v1',
    kind: 'FlowSchema',
    plural: 'flowschemas',
    namespaced: false,
    schema: FlowSchema,
    maxBytes: maxReconciledBytes,
    table: flowSchemaTable,
    strategy: {
      ...baseStrategy,
      validate: (object) => [
        ...baseStrategy.validate(object),
        ...validateFlowSchema(object, context.dialect.rules),
      ],
      validateUpdate: (object) => [
        ...validateBuiltInMetadata(
          object.metadata,
          { namespaced: false, nameRule: nameIsSubdomain },
          context.dialect,
        ),
        ...validateFlowSchema(object, context.dialect.rules),
      ],
    },
    subresources: { status: flowControlStatus(context, FlowSchema) },
  });
};
