// Compact string encoding of labels and selectable fields.

/**
 * Encodes pairs as `key\0value\0key\0value\0…`, sorted by key. Equal sets give equal strings, so a selector is
 * evaluated once per distinct string instead of once per object.
 */
export function encodePairs(pairs: Readonly<Record<string, string>> | undefined): string {
  if (!pairs) return '';
  const keys = Object.keys(pairs);
  if (keys.length === 0) return '';
  keys.sort();
  let encoded = '';
  for (const key of keys) encoded += `${key}\0${withoutNul(pairs[key] ?? '')}\0`;
  return encoded;
}

export function decodePairs(encoded: string): Map<string, string> {
  const pairs = new Map<string, string>();
  if (encoded === '') return pairs;
  const parts = encoded.split('\0');
  for (let i = 0; i + 1 < parts.length; i += 2) pairs.set(parts[i]!, parts[i + 1]!);
  return pairs;
}

/** A NUL would shift the pairs after it. No selector can contain one. */
function withoutNul(value: string): string {
  return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
}
