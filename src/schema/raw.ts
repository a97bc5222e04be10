import type { JsonValue } from '../codec/json/json-value.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import type { Type } from './type.ts';

/** Any JSON, kept as it came: nothing inside is read, ordered or dropped. */
class RawType implements Type<JsonValue> {
  readonly form = 'raw';
  readonly name: string;
  readonly emptyJson = 'null';
  readonly alwaysWritten = true;

  constructor(name: string) {
    this.name = name;
  }

  read(value: JsonValue): JsonValue {
    return value;
  }

  write(value: JsonValue): string {
    return stringifyJson(value);
  }

  isEmpty(value: JsonValue): boolean {
    return value === null;
  }

  zero(): JsonValue {
    return null;
  }

  describe(): string {
    return this.form;
  }
}

/** An object of another kind, or any other JSON. */
export const rawExtension: Type<JsonValue> = new RawType('runtime.RawExtension');
/** A set of fields, as managedFields record it. */
export const fieldsV1: Type<JsonValue> = new RawType('v1.FieldsV1');
