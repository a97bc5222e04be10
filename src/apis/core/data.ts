/** What the values of one ConfigMap or Secret may take in all. */
export const maxDataBytes = 1024 * 1024;

export const immutableWhenSet = 'field is immutable when `immutable` is set';

/** How many bytes a base64 text stands for. */
export function base64Size(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

type Texts = Readonly<Record<string, string>>;

/** Whether two maps hold the same; an absent one is empty. */
export function sameMap(one: Texts = {}, other: Texts = {}): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
