// Worker thread: encodes an object in a media type other than JSON.
import { PartialObjectMetadata } from '../kind/meta/partial-object-metadata.ts';
import type { Registry } from '../kind/registry.ts';
import type { Struct } from '../schema/struct.ts';
import type { SentKind } from '../serializers/serializer.ts';
import type { Serializers } from '../serializers/serializers.ts';
import { asBuffer, type EncodeMessage, type Outcome } from './messages.ts';

/** Writes an object down in a form, on the thread that was asked to. */
export function encodeObject(
  forms: Serializers,
  registry: Registry,
  { form, kind, item, bytes }: EncodeMessage,
): Outcome {
  const schema = schemaOf(registry, kind);
  if (schema === null) return { is: 'beyond' };
  const json = asBuffer(bytes);
  const { apiVersion, kind: name } = kind;
  const written = forms.of(form);
  if (item) {
    return { is: 'written', bytes: written.item({ ...item, ...(schema && { item: schema }) }, json) };
  }
  return { is: 'written', bytes: written.object({ apiVersion, kind: name, schema }, json) };
}

/** Undefined where none is needed, null where it is not known here. */
function schemaOf(registry: Registry, { readAs }: SentKind): Struct<unknown> | undefined | null {
  if (readAs === 'anything') return undefined;
  if (readAs === 'metadata') return PartialObjectMetadata;
  return registry.find(readAs.group, readAs.version, readAs.plural)?.definition.schema ?? null;
}
