// Schema type metav1.Duration.
import { formatDuration, InvalidDuration, parseDuration } from '../base/duration.ts';
import type { JsonValue } from '../codec/json/json-value.ts';
import { DecodeError, type Decoding } from './decoding.ts';
import { quote, string } from './scalars.ts';
import type { Type } from './type.ts';

/** In memory, a duration is Go's text: `1m30s`. */
class DurationType implements Type<string> {
  readonly category = 'duration';
  readonly name = 'v1.Duration';
  readonly emptyJson = '"0s"';
  readonly ignoresOmitEmpty = true;

  read(value: JsonValue, decoding: Decoding): string {
    if (typeof value !== 'string') {
      decoding.reportMismatch(value, string);
      return this.zero();
    }
    try {
      return formatDuration(parseDuration(value));
    } catch (error) {
      if (error instanceof InvalidDuration) throw new DecodeError(error.message);
      throw error;
    }
  }

  write(value: string): string {
    return quote(value);
  }

  isEmpty(): boolean {
    return false;
  }

  zero(): string {
    return '0s';
  }

  describe(): string {
    return this.category;
  }
}

export const duration: Type<string> = new DurationType();
