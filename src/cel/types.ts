// CEL types, and the base class of CEL values without a JSON representation.

export type Kind =
  | 'dyn'
  | 'any'
  | 'error'
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'list'
  | 'map'
  | 'struct'
  | 'opaque'
  | 'type'
  | 'param';

export interface StructField {
  readonly type: CelType;
  /** The JSON name; the CEL name may be escaped. */
  readonly jsonName: string;
}

/** A value without a JSON representation. Every other object is a JSON array or object. */
export abstract class CelObject {
  abstract get type(): CelType;
  abstract equals(other: unknown): boolean;
}

/** A type, and at the same time the value that `type(x)` returns. */
export class CelType extends CelObject {
  readonly kind: Kind;
  /** The name that `type(x)` has: `int`, `list`, `google.protobuf.Timestamp`. */
  readonly name: string;
  readonly params: readonly CelType[];
  /** The fields of a struct, if known. */
  readonly fields: ReadonlyMap<string, StructField> | undefined;

  constructor(
    kind: Kind,
    name: string,
    params: readonly CelType[] = [],
    fields?: ReadonlyMap<string, StructField>,
  ) {
    super();
    this.kind = kind;
    this.name = name;
    this.params = params;
    this.fields = fields;
  }

  override get type(): CelType {
    return typeOf(this);
  }

  override equals(other: unknown): boolean {
    return other instanceof CelType && other.name === this.name;
  }

  /** Structural equality, type parameters included. */
  isExactly(other: CelType): boolean {
    return (
      this === other ||
      (this.kind === other.kind &&
        this.name === other.name &&
        this.params.length === other.params.length &&
        this.params.every((param, i) => param.isExactly(other.params[i]!)))
    );
  }

  get isOptional(): boolean {
    return this.kind === 'opaque' && this.name === optionalName;
  }
}

const optionalName = 'optional_type';

export const dyn = new CelType('dyn', 'dyn');
/** google.protobuf.Any, the type of device attributes: checked like dyn. */
export const any = new CelType('any', 'google.protobuf.Any');
export const errorType = new CelType('error', '!error!');
export const nullType = new CelType('null', 'null_type');
export const bool = new CelType('bool', 'bool');
export const int = new CelType('int', 'int');
export const uint = new CelType('uint', 'uint');
export const double = new CelType('double', 'double');
export const string = new CelType('string', 'string');
export const bytes = new CelType('bytes', 'bytes');
export const timestamp = new CelType('timestamp', 'google.protobuf.Timestamp');
export const duration = new CelType('duration', 'google.protobuf.Duration');

export const listOf = (element: CelType) => new CelType('list', 'list', [element]);
export const mapOf = (key: CelType, value: CelType) => new CelType('map', 'map', [key, value]);
export const optionalOf = (value: CelType) => new CelType('opaque', optionalName, [value]);
export const typeOf = (type: CelType) => new CelType('type', 'type', [type]);
export const typeParam = (name: string) => new CelType('param', name);
/** A type without fields, with functions of its own. */
export const opaque = (name: string) => new CelType('opaque', name);
export const struct = (name: string, fields?: ReadonlyMap<string, StructField>) =>
  new CelType('struct', name, [], fields);

export const dynList = listOf(dyn);
export const dynMap = mapOf(dyn, dyn);
export const dynOptional = optionalOf(dyn);
export const typeType = new CelType('type', 'type');

const builtinTypes: Readonly<Record<string, CelType>> = {
  dyn,
  null_type: nullType,
  bool,
  int,
  uint,
  double,
  string,
  bytes,
  timestamp,
  duration,
};

/** Type identifiers in expressions: `type(x) == list`. */
export const declaredTypes: ReadonlyMap<string, CelType> = new Map(
  [
    bool,
    int,
    uint,
    double,
    string,
    bytes,
    nullType,
    timestamp,
    duration,
    dynList,
    dynMap,
    dynOptional,
    typeType,
  ].map((type) => [type.name, type]),
);

/**
 * Parses `list(A)`, `map(string, dyn)`, `optional(V)`. A single capital letter is a type parameter; other names are those
 * of `namedTypes`.
 */
export function parseType(text: string, namedTypes: ReadonlyMap<string, CelType> = new Map()): CelType {
  const trimmed = text.trim();
  const parts = /^(list|map|optional|type)\((.*)\)$/.exec(trimmed);
  if (parts) {
    const params = splitTopLevelCommas(parts[2]!).map((param) => parseType(param, namedTypes));
    switch (parts[1]) {
      case 'list':
        return listOf(params[0]!);
      case 'map':
        return mapOf(params[0]!, params[1]!);
      case 'optional':
        return optionalOf(params[0]!);
      default:
        return typeOf(params[0]!);
    }
  }
  if (/^[A-Z]$/.test(trimmed)) return typeParam(trimmed);
  const type = builtinTypes[trimmed] ?? namedTypes.get(trimmed);
  if (!type) throw new Error(`unknown type ${trimmed}`);
  return type;
}

/** Splits at commas outside of parentheses. */
export function splitTopLevelCommas(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')') depth--;
    else if (text[i] === ',' && depth === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  if (text.trim() !== '') parts.push(text.slice(start));
  return parts;
}

/** The name of a type in error messages. */
export function formatType(type: CelType): string {
  switch (type.kind) {
    case 'any':
      return 'any';
    case 'duration':
      return 'duration';
    case 'timestamp':
      return 'timestamp';
    case 'null':
      return 'null';
    case 'error':
      return '!error!';
    default:
      return type.params.length === 0 ? type.name : `${type.name}(${type.params.map(formatType).join(', ')})`;
  }
}

/** The name of a type with the full names of messages: `google.protobuf.Timestamp`. */
export function qualifiedTypeName({ name, params }: CelType): string {
  return params.length === 0 ? name : `${name}(${params.map(qualifiedTypeName).join(', ')})`;
}

/** `(int, string)`, or for a member function `string.(int)`. */
export function formatArguments(types: readonly CelType[], isMember: boolean): string {
  const formatted = types.map(formatType);
  return isMember ? `${formatted[0]}.(${formatted.slice(1).join(', ')})` : `(${formatted.join(', ')})`;
}
