import type { Struct } from '../schema/struct.ts';
import type { ApiObject } from './api-object.ts';
import type { ResourceDefinition } from './definition.ts';

/** The same kind in another version that differs by its name alone. The objects are stored in the first one. */
export function alsoIn<T extends ApiObject>(
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
