// ConfigMap and Secret: shared rules for `data`.
/** Total size of all values of one ConfigMap or Secret (upstream's MaxSecretSize). */
export const maxDataBytes = 1024 * 1024;

export const immutableWhenSet = 'field is immutable when `immutable` is set';

/** Number of bytes that a base64 text decodes to. */
export function base64ByteLength(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

type StringMap = Readonly<Record<string, string>>;

/** Compares two maps; an absent map equals an empty one. */
export function hasSameEntries(a: StringMap = {}, b: StringMap = {}): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
