import type { ResourceDefinition } from '../kind/definition.ts';
import { hasBegun, lifecycleOf } from './api-lifecycles.ts';

/** Says of each version of a kind that its life is nearing its end, where it is. */
export function withDeprecations(kinds: readonly ResourceDefinition[]): ResourceDefinition[] {
  return kinds.map((definition) => {
    const { deprecated, removed, replacement } = lifecycleOf(definition) ?? {};
    if (!hasBegun(deprecated)) return definition;
    return {
      ...definition,
      deprecation: {
        since: deprecated,
        ...(removed !== undefined && { removedIn: removed }),
        ...(replacement !== undefined && { replacement }),
      },
    };
  });
}
