// Service account tokens: validation of expirationSeconds.
import { type FieldError, invalid } from '../../errors/field-error.ts';
import { formattedInteger } from '../../kind/meta/validation.ts';

const minSeconds = 10 * 60;
const maxSeconds = 2 ** 32;

export function validateTokenLifetime(seconds: number | undefined, path: string): FieldError[] {
  if (seconds === undefined) return [];
  const reject = (detail: string) => [
    invalid(path, formattedInteger(seconds), `may not specify a duration ${detail}`),
  ];
  if (seconds < minSeconds) return reject('less than 10 minutes');
  return seconds > maxSeconds ? reject('larger than 2^32 seconds') : [];
}
