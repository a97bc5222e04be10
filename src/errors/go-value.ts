// Go values with their types, for messages in which upstream prints internal objects.

export type GoValue =
  /** A nil pointer, slice or map. */
  | { readonly kind: 'nil' }
  /** A number or boolean. */
  | { readonly kind: 'plain'; readonly text: string; readonly isZero: boolean }
  | { readonly kind: 'string'; readonly text: string }
  /** `formatted`: the text if the whole value was added or removed. */
  | { readonly kind: 'pointer'; readonly pointee: GoValue; readonly formatted?: string }
  /** `isOpaque`: compared as one value, as its Go type has an Equal method. */
  | {
      readonly kind: 'struct';
      readonly type: string;
      readonly fields: readonly GoEntry[];
      readonly isOpaque?: boolean;
    }
  | { readonly kind: 'list'; readonly type: string; readonly items: readonly GoValue[] }
  /** Sorted by key; keys are printed as given. */
  | { readonly kind: 'map'; readonly type: string; readonly entries: readonly GoEntry[] };

export interface GoEntry {
  readonly key: string;
  readonly value: GoValue;
}

export const goNil: GoValue = { kind: 'nil' };

export function goString(text: string): GoValue {
  return { kind: 'string', text };
}

export function goScalar(value: number | boolean): GoValue {
  return { kind: 'plain', text: String(value), isZero: value === 0 || value === false };
}

/** A pointer; nil for undefined. */
export function goPointer<T>(value: T | undefined, convert: (value: T) => GoValue): GoValue {
  return value === undefined ? goNil : { kind: 'pointer', pointee: convert(value) };
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

export function isEqual(a: GoValue, b: GoValue): boolean {
  if (a.kind === 'pointer' && b.kind === 'pointer') return isEqual(a.pointee, b.pointee);
  if (a.kind === 'struct' && b.kind === 'struct') return areEntriesEqual(a.fields, b.fields);
  if (a.kind === 'map' && b.kind === 'map') return areEntriesEqual(a.entries, b.entries);
  if (a.kind === 'list' && b.kind === 'list') {
    return a.items.length === b.items.length && a.items.every((item, i) => isEqual(item, b.items[i]!));
  }
  if (a.kind === 'plain' && b.kind === 'plain') return a.text === b.text;
  if (a.kind === 'string' && b.kind === 'string') return a.text === b.text;
  return a.kind === b.kind;
}

function areEntriesEqual(a: readonly GoEntry[], b: readonly GoEntry[]): boolean {
  return (
    a.length === b.length && a.every(({ key, value }, i) => key === b[i]!.key && isEqual(value, b[i]!.value))
  );
}
