// Model of Go values, for messages that print internal objects.

/** A Go value with the type information that messages show. */
export type GoValue =
  /** A nil pointer, slice or map. */
  | { readonly kind: 'nil' }
  /** A number or boolean. */
  | { readonly kind: 'plain'; readonly text: string; readonly isZero: boolean }
  | { readonly kind: 'string'; readonly text: string }
  /** `as`: its representation when added or removed as a whole. */
  | { readonly kind: 'pointer'; readonly to: GoValue; readonly as?: string }
  /** `whole`: compared as one value (it has an Equal method). */
  | {
      readonly kind: 'struct';
      readonly type: string;
      readonly fields: readonly GoEntry[];
      readonly whole?: boolean;
    }
  | { readonly kind: 'list'; readonly type: string; readonly items: readonly GoValue[] }
  /** Sorted by key; keys are printed as given. */
  | { readonly kind: 'map'; readonly type: string; readonly entries: readonly GoEntry[] };

export interface GoEntry {
  readonly key: string;
  readonly value: GoValue;
}

export const goNil: GoValue = { kind: 'nil' };

export function goText(text: string): GoValue {
  return { kind: 'string', text };
}

export function goPlain(value: number | boolean): GoValue {
  return { kind: 'plain', text: String(value), isZero: value === 0 || value === false };
}

/** A non-nil pointer. */
export function goPointer<T>(value: T | undefined, show: (value: T) => GoValue): GoValue {
  return value === undefined ? goNil : { kind: 'pointer', to: show(value) };
}

export function isZero(value: GoValue): boolean {
  switch (value.kind) {
    case 'nil':
      return true;
    case 'plain':
      return value.isZero;
    case 'string':
      return value.text === '';
    case 'struct':
      return value.fields.every((field) => isZero(field.value));
    default:
      return false;
  }
}

export function isSame(one: GoValue, other: GoValue): boolean {
  if (one.kind === 'pointer' && other.kind === 'pointer') return isSame(one.to, other.to);
  if (one.kind === 'struct' && other.kind === 'struct') return sameEntries(one.fields, other.fields);
  if (one.kind === 'map' && other.kind === 'map') return sameEntries(one.entries, other.entries);
  if (one.kind === 'list' && other.kind === 'list') {
    return (
      one.items.length === other.items.length && one.items.every((item, i) => isSame(item, other.items[i]!))
    );
  }
  if (one.kind === 'plain' && other.kind === 'plain') return one.text === other.text;
  if (one.kind === 'string' && other.kind === 'string') return one.text === other.text;
  return one.kind === other.kind;
}

function sameEntries(one: readonly GoEntry[], other: readonly GoEntry[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ key, value }, i) => key === other[i]!.key && isSame(value, other[i]!.value))
  );
}
