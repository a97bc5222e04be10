/** A value with as much of its type as messages show of it. Two values of one type have one shape. */
export type GoValue = GoScalar | GoPointer | GoStruct | GoList | GoMap;

export interface GoScalar {
  readonly form: 'scalar';
  readonly text: string;
  readonly isZero: boolean;
}

export interface GoPointer {
  readonly form: 'pointer';
  readonly target: GoValue | undefined;
}

export interface GoStruct {
  readonly form: 'struct';
  readonly type: string;
  readonly fields: readonly (readonly [name: string, value: GoValue])[];
  /** It is compared as a whole, though it has fields. */
  readonly whole?: boolean;
}

export interface GoList {
  readonly form: 'list';
  readonly type: string;
  readonly items: readonly GoValue[] | undefined;
}

export interface GoMap {
  readonly form: 'map';
  readonly type: string;
  /** In the order of the keys, which stand as they are shown. */
  readonly entries: ReadonlyMap<string, GoValue> | undefined;
}

export function isZero(value: GoValue): boolean {
  switch (value.form) {
    case 'scalar':
      return value.isZero;
    case 'pointer':
      return value.target === undefined;
    case 'struct':
      return value.fields.every(([, field]) => isZero(field));
    case 'list':
      return value.items === undefined;
    case 'map':
      return value.entries === undefined;
  }
}

/** What a value consists of, by name or number, where it is compared part by part. Nothing for what is nothing. */
export function partsOf(value: GoValue): readonly (readonly [key: string, part: GoValue])[] | undefined {
  switch (value.form) {
    case 'scalar':
      return undefined;
    case 'pointer':
      return value.target && [['', value.target]];
    case 'struct':
      return value.whole ? undefined : value.fields;
    case 'list':
      return value.items?.map((item, i) => [String(i), item]);
    case 'map':
      return value.entries && [...value.entries];
  }
}
