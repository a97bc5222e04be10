// Schema type resource.Quantity.
import { type JsonValue, RawNumber } from '../codec/json/json-value.ts';
import { DecodeError, type Decoding } from './decoding.ts';
import { parseQuantity, type Quantity, roundedToMilli } from './quantity.ts';
import { quote, string } from './scalars.ts';
import type { Type } from './type.ts';

/** In memory, a quantity is its canonical text. */
class QuantityType implements Type<string> {
  readonly category = 'quantity';
  readonly name = 'resource.Quantity';
  readonly emptyJson = '"0"';
  readonly ignoresOmitEmpty = true;
  readonly #adjust: (quantity: Quantity) => Quantity;

  constructor(adjust: (quantity: Quantity) => Quantity) {
    this.#adjust = adjust;
  }

  read(value: JsonValue, decoding: Decoding): string {
    if (typeof value !== 'string' && !decoding.acceptsNumericQuantities) {
      decoding.reportMismatch(value, string);
      return this.zero();
    }
    const parsed = parseQuantity(quantityText(value).trim());
    if ('problem' in parsed) throw new DecodeError(parsed.problem);
    return this.#adjust(parsed).text;
  }

  write(value: string): string {
    return quote(value);
  }

  isEmpty(): boolean {
    return false;
  }

  zero(): string {
    return '0';
  }

  describe(): string {
    return this.category;
  }
}

/** The text to parse. JSON types other than strings and numbers give '?', which no quantity matches. */
function quantityText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || value instanceof RawNumber ? String(value) : '?';
}

export const quantity: Type<string> = new QuantityType((parsed) => parsed);
/** A quantity of a ResourceList, rounded up to milli-units. */
export const milliQuantity: Type<string> = new QuantityType(roundedToMilli);
