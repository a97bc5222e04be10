// API versions: marks the definitions of deprecated ones, so that their clients get warnings.

import type { ResourceDefinition } from '../kind/definition.ts';
import { isReached, lifecycleOf } from './api-lifecycles.ts';

/** Adds `deprecation` to the kinds whose version is deprecated, from which clients get a warning. */
export function markDeprecatedVersions(kinds: readonly ResourceDefinition[]): ResourceDefinition[] {
  return kinds.map((definition) => {
    const { deprecated, removed, replacement } = lifecycleOf(definition) ?? {};
    if (!isReached(deprecated)) return definition;
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
