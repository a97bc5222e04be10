// Custom resource validation: fieldPath of x-validations rules.
import type { JSONSchemaProps } from './json-schema.ts';

/** Parses `.a.b['c.d']` into field names; undefined if invalid. Quotes and backslashes in brackets are escaped. */
export function parseRulePath(path: string): string[] | undefined {
  const names: string[] = [];
  const step = /\.([^.[\]'\s]+)|\['((?:[^'\\]|\\.)*)'\]/y;
  while (step.lastIndex < path.length) {
    const match = step.exec(path);
    if (!match) return undefined;
    names.push(match[1] ?? match[2]!.replace(/\\(.)/g, '$1'));
  }
  return names.length > 0 ? names : undefined;
}

/** Whether the path names a field of the schema, through properties and maps but not through lists. */
export function rulePathExists(path: string, schema: JSONSchemaProps): boolean {
  let subschema: JSONSchemaProps | undefined = schema;
  // An invalid path counts as the field '', which a map may have.
  for (const name of parseRulePath(path) ?? ['']) {
    subschema = fieldSchema(subschema, name);
    if (!subschema) return false;
  }
  return true;
}

/** The schema of a field of an object or of an entry of a map; undefined if there is none. */
export function fieldSchema(schema: JSONSchemaProps, name: string): JSONSchemaProps | undefined {
  const { properties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
