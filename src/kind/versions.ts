// Serves a built-in kind in a further version with the same fields.

import type { Struct } from '../schema/struct.ts';
import type { ApiObject } from './api-object.ts';
import type { ResourceDefinition } from './definition.ts';

/** The kind in another version with identical fields. Objects are stored in the version of `definition`. */
export function definitionInVersion<T extends ApiObject>(
  version: string,
  definition: ResourceDefinition<T>,
  schema: Struct<T>,
): ResourceDefinition<T> {
  return {
    ...definition,
    version,
    schema,
    conversion: {
      storedVersion: { group: definition.group, version: definition.version },
      fromStored: (stored) => stored as T,
      toStored: (object) => object,
    },
  };
}
