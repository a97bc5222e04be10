// Custom resources: parses and compiles the schema of a version, large ones with cooperative yielding.
import { createHash } from 'node:crypto';
import type { CustomResourceDefinition } from '../apis/apiextensions/customresourcedefinition-schema.ts';
import type { JSONSchemaProps } from '../apis/apiextensions/json-schema.ts';
import { schemasApart } from '../apis/apiextensions/schemas-apart.ts';
import type { CooperativeYield, Work } from '../base/cooperative-yield.ts';
import { parseJsonCooperatively } from '../codec/json/parse-cooperatively.ts';
import type { DefinitionState } from '../kind/definition.ts';
import type { ServedResource } from '../kind/registry.ts';
import { decodeStored, parseStored } from '../kind/storage/codec.ts';

/** A schema of this size in bytes is compiled before the kind is served, with cooperative yielding. */
export const worthPreparing = 256 * 1024;

/** The schema of a version of a custom kind, which has been parsed. */
export interface ParsedSchema {
  /** Stands for this version and what it says, where finding out what of that matters takes long. */
  readonly digest: string | undefined;
  decode(): JSONSchemaProps;
}

/** Parses the schema of a version of a stored definition, and none of its other versions. At once where there are no turns. */
export function* parsingSchema(
  definitions: ServedResource,
  stored: DefinitionState,
  version: string,
  turns: CooperativeYield | undefined,
): Work<ParsedSchema> {
  const { schema } = definitions.definition;
  const whole = (object: object) => ({ digest: undefined, decode: () => schemaOf(object, version) });
  if (stored.mark !== schema.mark) return whole(decodeStored(definitions, stored));
  const { rest, parts } = schemasApart.takeOut(stored.json);
  const definition = parseStored(definitions, rest);
  const place = versionOf(definition, version)?.schema;
  const id = place?.openAPIV3Schema?.id;
  const text = id === undefined ? undefined : parts[Number(id)];
  if (!place || !text) return whole({ spec: {} });
  place.openAPIV3Schema = (yield* parseJsonCooperatively(text.toString(), turns)) as JSONSchemaProps;
  return {
    digest: digestOf(`${stored.key} ${version}`, text),
    decode: () => schemaOf(schema.decode(definition).object, version),
  };
}

function versionOf(definition: object, version: string) {
  const { versions = [] } = (definition as CustomResourceDefinition).spec;
  return versions.find(({ name }) => name === version);
}

const schemaOf = (definition: object, version: string): JSONSchemaProps =>
  versionOf(definition, version)?.schema?.openAPIV3Schema ?? {};

function digestOf(name: string, text: Buffer): string | undefined {
  if (text.length < worthPreparing) return undefined;
  return createHash('sha256').update(name).update(text).digest('base64url').slice(0, 8);
}
