// Worker thread: encodes an object in a media type other than JSON.
import { PartialObjectMetadata } from '../kind/meta/partial-object-metadata.ts';
import type { Registry } from '../kind/registry.ts';
import type { Struct } from '../schema/struct.ts';
import type { TransferredKind } from '../serializers/serializer.ts';
import type { Serializers } from '../serializers/serializers.ts';
import { asBuffer, type EncodeMessage, type Outcome } from './messages.ts';

export function encodeObject(
  serializers: Serializers,
  registry: Registry,
  { mediaType, kind, wrapping, bytes }: EncodeMessage,
): Outcome {
  const schema = findSchema(registry, kind);
  if (schema === null) return { is: 'notOffloadable' };
  const json = asBuffer(bytes);
  const { apiVersion, kind: name } = kind;
  const serializer = serializers.forMediaType(mediaType);
  if (wrapping && 'item' in wrapping) {
    const itemContext = { ...wrapping.item, ...(schema && { itemSchema: schema }) };
    return { is: 'encoded', bytes: serializer.item(itemContext, json) };
  }
  const object = serializer.object({ apiVersion, kind: name, schema }, json);
  return { is: 'encoded', bytes: wrapping ? serializer.event(wrapping.event, object) : object };
}

/** The schema of the object; undefined if it is encoded without one, null if this thread does not have it. */
function findSchema(
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
