// Custom resources: parses the schema of one version from the stored CustomResourceDefinition, large ones with cooperative
// yielding.
import { createHash } from 'node:crypto';
import type { CustomResourceDefinition } from '../apis/apiextensions/customresourcedefinition-schema.ts';
import { detachedSchemas } from '../apis/apiextensions/detached-schemas.ts';
import type { JSONSchemaProps } from '../apis/apiextensions/json-schema.ts';
import type { CooperativeTask, CooperativeYield } from '../base/cooperative-yield.ts';
import { parseJsonCooperatively } from '../codec/json/parse-cooperatively.ts';
import type { DefinitionState } from '../kind/definition.ts';
import type { ServedResource } from '../kind/registry.ts';
import { decodeStored, parseStored } from '../kind/storage/codec.ts';

/** A schema of this size in bytes is compiled before the kind is served, with cooperative yielding. */
export const minPreparedSchemaBytes = 256 * 1024;

/** The parsed schema of one version. */
export interface ParsedSchema {
  /** A hash that identifies a large schema, so that it need not be compared; undefined for a small one. */
  readonly digest: string | undefined;
  decode(): JSONSchemaProps;
}

/** Parses only the schema of this version of a stored definition. Yields to the event loop if `cooperativeYield` is given. */
export function* parseVersionSchema(
  definitions: ServedResource,
  stored: DefinitionState,
  version: string,
  cooperativeYield: CooperativeYield | undefined,
): CooperativeTask<ParsedSchema> {
  const { schema } = definitions.definition;
  const fromObject = (object: object) => ({ digest: undefined, decode: () => schemaOf(object, version) });
  // Schemas can only be split off JSON that the current schema of definitions has written, which the fingerprint identifies.
  if (stored.schemaFingerprint !== schema.fingerprint) return fromObject(decodeStored(definitions, stored));
  const { jsonWithPlaceholders, parts } = detachedSchemas.takeOut(stored.json);
  const definition = parseStored(definitions, jsonWithPlaceholders);
  const versionSchema = versionOf(definition, version)?.schema;
  // In `jsonWithPlaceholders` each openAPIV3Schema is a placeholder, whose id is the index of the schema in `parts`.
  const id = versionSchema?.openAPIV3Schema?.id;
  const schemaText = id === undefined ? undefined : parts[Number(id)];
  if (!versionSchema || !schemaText) return fromObject({ spec: {} });
  versionSchema.openAPIV3Schema = (yield* parseJsonCooperatively(
    schemaText.toString(),
    cooperativeYield,
  )) as JSONSchemaProps;
  return {
    digest: digestOf(`${stored.key} ${version}`, schemaText),
    decode: () => schemaOf(schema.decode(definition).object, version),
  };
}

function versionOf(definition: object, version: string) {
  const { versions = [] } = (definition as CustomResourceDefinition).spec;
  return versions.find(({ name }) => name === version);
}

const schemaOf = (definition: object, version: string): JSONSchemaProps =>
  versionOf(definition, version)?.schema?.openAPIV3Schema ?? {};

function digestOf(name: string, schemaText: Buffer): string | undefined {
  if (schemaText.length < minPreparedSchemaBytes) return undefined;
  return createHash('sha256').update(name).update(schemaText).digest('base64url').slice(0, 8);
}
