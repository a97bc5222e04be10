// Decodes the result of a strategic merge patch or server-side apply with the errors of Go's runtime.FromUnstructured.
import { type JsonValue, RawNumber } from '../codec/json/json-value.ts';
import { DecodeError, Decoding } from '../schema/decoding.ts';
import { readInteger } from '../schema/scalars.ts';
import type { Type } from '../schema/type.ts';

/**
 * kube-apiserver does not decode the result from JSON but converts it with runtime.FromUnstructured, whose error
 * messages differ.
 */
export class UnstructuredDecoding extends Decoding {
  override readonly acceptsWholeFloats = true;

  override reportMismatch(value: JsonValue, type: Pick<Type, 'name' | 'category'>): void {
    this.reportFault(conversionError(value, type));
  }

  /** Unlike JSON decoding, conversion stops at the first error. */
  override reportFault(message: string): never {
    const isBase64 = message.startsWith('illegal base64');
    throw new DecodeError(isBase64 ? `error decoding from json: ${message}` : message);
  }

  /** Types with an UnmarshalJSON method see only their own value, so the message has no field name. */
  override mismatchMessage(description: string, typeName: string): string {
    return `json: cannot unmarshal ${description} into Go value of type ${typeName}`;
  }
}

function conversionError(value: JsonValue, { name, category }: Pick<Type, 'name' | 'category'>): string {
  const goKind = goKindOf(value);
  switch (category) {
    case 'map':
      return `cannot restore map from ${goKind}`;
    case 'list':
    case 'bytes':
      return `cannot restore slice from ${goKind}`;
    case 'string':
      return goKind === 'int64' ? `cannot convert int64 to ${name}` : 'unrecognized type: string';
    case 'int32':
    case 'int64':
      return goKind === 'int64' || goKind === 'float64'
        ? `cannot convert ${goKind} to ${name}`
        : `unrecognized type: ${name}`;
    case 'bool':
    case 'double':
      return `unrecognized type: ${name}`;
    default:
      return `cannot restore struct from: ${goKind}`;
  }
}

/** Go's reflect.Kind of a value. */
function goKindOf(value: JsonValue): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number' || value instanceof RawNumber) {
    return readInteger(value, 64) === undefined ? 'float64' : 'int64';
  }
  return Array.isArray(value) ? 'slice' : 'map';
}
