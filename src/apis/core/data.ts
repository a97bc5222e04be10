// ConfigMap and Secret: helpers for validating `data`.

/** Total size of all values of one ConfigMap or Secret (upstream's MaxSecretSize). */
export const maxDataBytes = 1024 * 1024;

export const immutableDataMessage = 'field is immutable when `immutable` is set';

/** The number of bytes that a padded base64 text decodes to. */
export function base64ByteLength(text: string): number {
  const paddingStart = text.indexOf('=', text.length - 2);
  const paddingLength = paddingStart < 0 ? 0 : text.length - paddingStart;
  return (text.length / 4) * 3 - paddingLength;
}

type StringMap = Readonly<Record<string, string>>;

/** Compares two maps; an absent map equals an empty one. */
export function hasSameEntries(a: StringMap = {}, b: StringMap = {}): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
