// Custom resources: the object schema, metadata plus the definition's own schema.
import type { JSONSchemaProps } from '../apis/apiextensions/json-schema.ts';
import type { ValueValidationOptions } from '../apis/apiextensions/patterns.ts';
import { CooperativeYield, runTask } from '../base/cooperative-yield.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { ObjectMeta } from '../kind/meta/object-meta.ts';
import { typeMeta } from '../kind/meta/type-meta.ts';
import { CustomType } from '../schema/custom.ts';
import { type Field, type Fields, field, optional, Struct } from '../schema/struct.ts';
import { compileSchema, compileSchemaInSteps } from './compile-schema.ts';
import { toJsonObject } from './to-json-object.ts';

const commonFields = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * The schema of a custom resource: apiVersion, kind and metadata, plus the properties of openAPIV3Schema. `digest` identifies
 * a very large schema, which would be slow to compare.
 */
export function customSchema(
  name: string,
  schema: JSONSchemaProps,
  options: ValueValidationOptions,
  digest: string | undefined,
): Struct<ApiObject> {
  return objectSchema(name, compileSchema(withoutCommonFields(schema), options), digest);
}

/** Like customSchema, yielding to the event loop. */
export async function customSchemaCooperatively(
  name: string,
  schema: JSONSchemaProps,
  options: ValueValidationOptions,
  digest: string | undefined,
): Promise<Struct<ApiObject>> {
  const cooperativeYield = new CooperativeYield();
  const root = await runTask(compileSchemaInSteps(withoutCommonFields(schema), options, cooperativeYield));
  await cooperativeYield.next();
  return objectSchema(name, root, digest);
}

function withoutCommonFields({ properties = {}, ...schema }: JSONSchemaProps): JSONSchemaProps {
  const ownProperties = Object.fromEntries(
    Object.entries(properties).filter(([key]) => !commonFields.has(key)),
  );
  return { ...schema, properties: ownProperties };
}

function objectSchema(name: string, root: CustomType, digest: string | undefined): Struct<ApiObject> {
  const fields: Record<string, Field> = {
    ...typeMeta,
    metadata: field(1, ObjectMeta, { doc: 'The standard object metadata.' }),
  };
  // Field number 0: custom resources have no Protobuf encoding.
  for (const [key, type] of Object.entries(root.custom.properties ?? {}))
    fields[key] = field(0, optional(type));
  return new Struct<ApiObject>(name, fields as Fields, {
    ...(root.custom.keepsUnknown && { others: new CustomType({ keepsUnknown: true }) }),
    defaults: (object) => root.setDefaults(toJsonObject(object)),
    appliesDefaultsOnDecode: true,
    ...(digest !== undefined && { fingerprint: digest }),
  });
}
