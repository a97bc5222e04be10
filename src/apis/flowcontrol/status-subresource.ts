// FlowSchema and PriorityLevelConfiguration: the status subresource.
import type { ApiObject } from '../../kind/api-object.ts';
import type { KindContext } from '../../kind/context.ts';
import type { Subresource } from '../../kind/definition.ts';
import { statusSubresourceKeepingMetadata } from '../../kind/plain-strategy.ts';
import type { Struct } from '../../schema/struct.ts';
import { type AnyCondition, validateConditions } from './conditions.ts';

interface WithConditions extends ApiObject {
  readonly status: { readonly conditions?: readonly AnyCondition[] };
}

/** Unlike the status of other kinds, an update keeps all metadata: also what could not be changed is ignored. */
export function flowControlStatus<T extends WithConditions>(
  context: KindContext,
  schema: Struct<T>,
): Subresource<T> {
  const validateStatus = ({ status }: T) => validateConditions(status.conditions, context.dialect.rules);
  const { verbs, rules = {} } = statusSubresourceKeepingMetadata(context, schema, validateStatus);
  return {
    verbs,
    rules: {
      ...rules,
      prepareForUpdate(object, old, now) {
        const { resourceVersion, managedFields } = object.metadata;
        rules.prepareForUpdate?.(object, old, now);
        (object as ApiObject).metadata = {
          ...old.metadata,
          ...(resourceVersion !== undefined && { resourceVersion }),
          ...(managedFields && { managedFields }),
        };
      },
    },
  };
}
