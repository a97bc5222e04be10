// Schema types metav1.Time and metav1.MicroTime.
import type { JsonValue } from '../codec/json/json-value.ts';
import { DecodeError, type Decoding, jsonTypeOf } from './decoding.ts';
import { quote } from './scalars.ts';
import { layouts, parseTime, type TimeLayout } from './time-text.ts';
import type { Type } from './type.ts';

/** In memory, a time is its text in UTC: `2025-01-31T12:00:00Z`, or with microseconds. '' is the zero time. */
class TimeType implements Type<string> {
  readonly form: 'time' | 'microTime';
  readonly name: string;
  readonly emptyJson = 'null';
  readonly alwaysWritten = true;
  readonly #layout: TimeLayout;

  constructor(form: 'time' | 'microTime', name: string, layout: TimeLayout) {
    this.form = form;
    this.name = name;
    this.#layout = layout;
  }

  read(value: JsonValue, decoding: Decoding): string {
    if (typeof value !== 'string')
      throw new DecodeError(decoding.mismatchMessage(jsonTypeOf(value), 'string'));
    const parsed = parseTime(value, this.#layout);
    if ('problem' in parsed) throw new DecodeError(parsed.problem);
    return parsed.text;
  }

  write(value: string): string {
    return value === '' ? 'null' : quote(value);
  }

  isEmpty(value: string): boolean {
    return value === '';
  }

  zero(): string {
    return '';
  }

  describe(): string {
    return this.form;
  }
}

export const time: Type<string> = new TimeType('time', 'v1.Time', layouts.seconds);
export const microTime: Type<string> = new TimeType('microTime', 'v1.MicroTime', layouts.microseconds);
