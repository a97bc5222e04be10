// Custom resources: the object schema, metadata plus the definition's own schema.
import type { JSONSchemaProps } from '../apis/apiextensions/json-schema.ts';
import type { ValueTerms } from '../apis/apiextensions/patterns.ts';
import { CooperativeYield, runWork } from '../base/cooperative-yield.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { ObjectMeta } from '../kind/meta/object-meta.ts';
import { typeMeta } from '../kind/meta/type-meta.ts';
import { CustomType } from '../schema/custom.ts';
import { type Field, type Fields, field, optional, Struct } from '../schema/struct.ts';
import { asJson } from './as-json.ts';
import { compileSchema, compiling } from './compile-schema.ts';

const everyObject = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Objects of a custom kind: what every object has, and what the schema of its author says beside that. `digest` stands for
 * all that the schema says, where it is very large.
 */
export function customSchema(
  name: string,
  schema: JSONSchemaProps,
  terms: ValueTerms,
  digest: string | undefined,
): Struct<ApiObject> {
  return around(name, compileSchema(withoutEveryObject(schema), terms), digest);
}

/** The same, put together bit by bit. */
export async function customSchemaInTurns(
  name: string,
  schema: JSONSchemaProps,
  terms: ValueTerms,
  digest: string | undefined,
): Promise<Struct<ApiObject>> {
  const turns = new CooperativeYield();
  const root = await runWork(compiling(withoutEveryObject(schema), terms, turns));
  await turns.next();
  return around(name, root, digest);
}

function withoutEveryObject({ properties = {}, ...rest }: JSONSchemaProps): JSONSchemaProps {
  const own = Object.fromEntries(Object.entries(properties).filter(([key]) => !everyObject.has(key)));
  return { ...rest, properties: own };
}

function around(name: string, root: CustomType, digest: string | undefined): Struct<ApiObject> {
  const fields: Record<string, Field> = {
    ...typeMeta,
    metadata: field(1, ObjectMeta, { doc: 'The standard object metadata.' }),
  };
  for (const [key, type] of Object.entries(root.custom.properties ?? {}))
    fields[key] = field(0, optional(type));
  return new Struct<ApiObject>(name, fields as Fields, {
    ...(root.custom.keepsUnknown && { others: new CustomType({ keepsUnknown: true }) }),
    defaults: (object) => root.setDefaults(asJson(object)),
    isFilledWhenRead: true,
    ...(digest !== undefined && { mark: digest }),
  });
}
