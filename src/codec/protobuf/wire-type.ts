// Protobuf wire types of schema types.
import type { Field } from '../../schema/struct.ts';
import type { Type } from '../../schema/type.ts';
import { wireTypes } from './wire-reader.ts';

export function wireTypeOf({ category }: Type): number {
  switch (category) {
    case 'bool':
    case 'int32':
    case 'int64':
      return wireTypes.varint;
    case 'double':
      return wireTypes.fixed64;
    default:
      return wireTypes.bytes;
  }
}

/**
 * kind and apiVersion of an object are in TypeMeta of the envelope, not in its message. Those of an object reference
 * are in the message.
 */
export function isEnvelopeField(
  name: string,
  { kind, apiVersion }: Readonly<Record<string, Field>>,
): boolean {
  const isObject = kind?.number === 1 && apiVersion?.number === 2 && kind.alwaysSet && apiVersion.alwaysSet;
  return isObject && (name === 'kind' || name === 'apiVersion');
}
