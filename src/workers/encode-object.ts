// Worker thread: encodes an object in a media type other than JSON.
import { PartialObjectMetadata } from '../kind/meta/partial-object-metadata.ts';
import type { Registry } from '../kind/registry.ts';
import type { Struct } from '../schema/struct.ts';
import type { TransferredKind } from '../serializers/serializer.ts';
import type { Serializers } from '../serializers/serializers.ts';
import { asBuffer, type EncodeMessage, type Outcome } from './messages.ts';

/** Writes an object down in a form, on the thread that was asked to. */
export function encodeObject(
  serializers: Serializers,
  registry: Registry,
  { form, kind, item, bytes }: EncodeMessage,
): Outcome {
  const schema = schemaOf(registry, kind);
  if (schema === null) return { is: 'beyond' };
  const json = asBuffer(bytes);
  const { apiVersion, kind: name } = kind;
  const serializer = serializers.forMediaType(form);
  if (item) {
    return {
      is: 'written',
      bytes: serializer.item({ ...item, ...(schema && { itemSchema: schema }) }, json),
    };
  }
  return { is: 'written', bytes: serializer.object({ apiVersion, kind: name, schema }, json) };
}

/** Undefined where none is needed, null where it is not known here. */
function schemaOf(
  registry: Registry,
  { schemaReference }: TransferredKind,
): Struct<unknown> | undefined | null {
  if (schemaReference === 'anything') return undefined;
  if (schemaReference === 'metadata') return PartialObjectMetadata;
  return (
    registry.find(schemaReference.group, schemaReference.version, schemaReference.plural)?.definition
      .schema ?? null
  );
}
