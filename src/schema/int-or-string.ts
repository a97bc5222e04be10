// Schema type intstr.IntOrString.
import { type JsonValue, RawNumber } from '../codec/json/json-value.ts';
import { DecodeError, type Decoding, jsonTypeOf } from './decoding.ts';
import { quote, readInteger } from './scalars.ts';
import type { Type } from './type.ts';

class IntOrStringType implements Type<number | string> {
  readonly category = 'intOrString';
  readonly name = 'intstr.IntOrString';
  readonly emptyJson = '0';
  readonly ignoresOmitEmpty = true;

  read(value: JsonValue, decoding: Decoding): number | string {
    if (typeof value === 'string') return value;
    const isNumber = typeof value === 'number' || value instanceof RawNumber;
    const integer = isNumber ? readInteger(value, 32) : undefined;
    if (integer !== undefined) return integer;
    throw new DecodeError(
      decoding.mismatchMessage(isNumber ? `number ${value}` : jsonTypeOf(value), 'int32'),
    );
  }

  write(value: number | string): string {
    return typeof value === 'string' ? quote(value) : `${value}`;
  }

  /** A struct in Go, which `omitempty` does not omit. */
  isEmpty(): boolean {
    return false;
  }

  zero(): number | string {
    return 0;
  }

  describe(): string {
    return this.category;
  }
}

export const intOrString: Type<number | string> = new IntOrStringType();
