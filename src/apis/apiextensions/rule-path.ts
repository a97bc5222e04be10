// Custom resource validation: fieldPath of x-validations rules.
import type { JSONSchemaProps } from './json-schema.ts';

/** `.a.b['c.d']` as the names of fields; undefined if it is no such path. Quotes and backslashes in names are escaped. */
export function parseRulePath(path: string): string[] | undefined {
  const names: string[] = [];
  const step = /\.([^.[\]'\s]+)|\['((?:[^'\\]|\\.)*)'\]/y;
  while (step.lastIndex < path.length) {
    const found = step.exec(path);
    if (!found) return undefined;
    names.push(found[1] ?? found[2]!.replace(/\\(.)/g, '$1'));
  }
  return names.length > 0 ? names : undefined;
}

/** Whether a rule's path leads to a field of the schema, through properties and maps but not through lists. */
export function rulePathExists(path: string, schema: JSONSchemaProps): boolean {
  let place: JSONSchemaProps | undefined = schema;
  for (const name of parseRulePath(path) ?? ['']) {
    place = fieldOf(place, name);
    if (!place) return false;
  }
  return true;
}

/** The schema of a field of an object or of an entry of a map. */
export function fieldOf(schema: JSONSchemaProps, name: string): JSONSchemaProps | undefined {
  const { properties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
