/** A value the way the messages of the reference show it, where they show the inside of its structs. */
export type ShownValue =
  /** A pointer, list or map that is not there. */
  | { readonly kind: 'nil' }
  /** A number or boolean. */
  | { readonly kind: 'plain'; readonly text: string; readonly isZero: boolean }
  | { readonly kind: 'string'; readonly text: string }
  /** `as`: what it is shown as where it comes or goes as a whole. */
  | { readonly kind: 'pointer'; readonly to: ShownValue; readonly as?: string }
  /** `whole`: it is compared as one, and not field by field. */
  | {
      readonly kind: 'struct';
      readonly type: string;
      readonly fields: readonly ShownEntry[];
      readonly whole?: boolean;
    }
  | { readonly kind: 'list'; readonly type: string; readonly items: readonly ShownValue[] }
  /** In the order of the keys, which are shown as they are here. */
  | { readonly kind: 'map'; readonly type: string; readonly entries: readonly ShownEntry[] };

export interface ShownEntry {
  readonly key: string;
  readonly value: ShownValue;
}

export const nothing: ShownValue = { kind: 'nil' };

export function shownText(text: string): ShownValue {
  return { kind: 'string', text };
}

export function shownPlain(value: number | boolean): ShownValue {
  return { kind: 'plain', text: String(value), isZero: value === 0 || value === false };
}

/** A pointer to what is there. */
export function shownPointer<T>(value: T | undefined, show: (value: T) => ShownValue): ShownValue {
  return value === undefined ? nothing : { kind: 'pointer', to: show(value) };
}

export function isZeroValue(value: ShownValue): boolean {
  switch (value.kind) {
    case 'nil':
      return true;
    case 'plain':
      return value.isZero;
    case 'string':
      return value.text === '';
    case 'struct':
      return value.fields.every((field) => isZeroValue(field.value));
    default:
      return false;
  }
}

export function isSameValue(one: ShownValue, other: ShownValue): boolean {
  if (one.kind === 'pointer' && other.kind === 'pointer') return isSameValue(one.to, other.to);
  if (one.kind === 'struct' && other.kind === 'struct') return sameEntries(one.fields, other.fields);
  if (one.kind === 'map' && other.kind === 'map') return sameEntries(one.entries, other.entries);
  if (one.kind === 'list' && other.kind === 'list') {
    return (
      one.items.length === other.items.length &&
      one.items.every((item, i) => isSameValue(item, other.items[i]!))
    );
  }
  if (one.kind === 'plain' && other.kind === 'plain') return one.text === other.text;
  if (one.kind === 'string' && other.kind === 'string') return one.text === other.text;
  return one.kind === other.kind;
}

function sameEntries(one: readonly ShownEntry[], other: readonly ShownEntry[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ key, value }, i) => key === other[i]!.key && isSameValue(value, other[i]!.value))
  );
}
