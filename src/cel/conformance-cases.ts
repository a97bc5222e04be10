// Test support: reads the conformance cases of the CEL specification for conformance.test.ts.
import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import { parseDuration, parseTimestamp } from './time/text.ts';
import {
  bool,
  bytes,
  type CelType,
  double,
  duration,
  dyn,
  int,
  listOf,
  mapOf,
  nullType,
  opaque,
  optionalOf,
  string,
  timestamp,
  typeOf,
  uint,
} from './types.ts';
import { Bytes, CelOptional, createMap, Double, toInt, Uint, type Value } from './values.ts';

export interface SpecType {
  readonly primitive?: string;
  readonly wellKnown?: string;
  readonly wrapper?: string;
  readonly listType?: { readonly elemType: SpecType };
  readonly mapType?: { readonly keyType: SpecType; readonly valueType: SpecType };
  readonly abstractType?: { readonly name: string; readonly parameterTypes?: readonly SpecType[] };
  readonly type?: SpecType;
  readonly messageType?: string;
  readonly typeParam?: string;
}

export interface SpecValue {
  readonly nullValue?: null;
  readonly boolValue?: boolean;
  readonly int64Value?: string;
  readonly uint64Value?: string;
  readonly doubleValue?: number | string;
  readonly stringValue?: string;
  readonly bytesValue?: string;
  readonly typeValue?: string;
  readonly listValue?: { readonly values?: readonly SpecValue[] };
  readonly mapValue?: {
    readonly entries?: readonly { readonly key: SpecValue; readonly value: SpecValue }[];
  };
  readonly objectValue?: { readonly '@type': string; readonly value?: unknown };
}

export interface SpecCase {
  readonly name: string;
  /** The type that cel-go deduces. */
  readonly foundType?: string;
  readonly expr: string;
  readonly container?: string;
  readonly disableCheck?: boolean;
  readonly checkOnly?: boolean;
  readonly disableMacros?: boolean;
  readonly typeEnv?: readonly {
    readonly name: string;
    readonly ident?: { readonly type: SpecType };
    readonly function?: {
      readonly overloads: readonly {
        readonly overloadId: string;
        readonly params: readonly SpecType[];
        readonly resultType: SpecType;
        readonly isInstanceFunction?: boolean;
      }[];
    };
  }[];
  readonly bindings?: Readonly<Record<string, { readonly value: SpecValue }>>;
  readonly value?: SpecValue;
  readonly typedResult?: { readonly result?: SpecValue; readonly deducedType?: SpecType };
  readonly evalError?: unknown;
}

interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { readonly original: SpecCase; readonly type?: string }[];
}

/** The cases of each file. */
export function specificationCases(): ReadonlyMap<string, readonly SpecCase[]> {
  const collect = (suite: Suite): SpecCase[] => [
    ...(suite.tests ?? []).map(({ original, type }) => ({ ...original, ...(type && { foundType: type }) })),
    ...(suite.suites ?? []).flatMap(collect),
  ];
  const files = (tests as unknown as Suite).suites ?? [];
  return new Map(files.map((file) => [file.name, collect(file)]));
}

const primitives: Readonly<Record<string, CelType>> = {
  BOOL: bool,
  INT64: int,
  UINT64: uint,
  DOUBLE: double,
  STRING: string,
  BYTES: bytes,
};

export function readSpecType(type: SpecType): CelType {
  if (type.primitive) return primitives[type.primitive]!;
  if (type.wellKnown === 'TIMESTAMP') return timestamp;
  if (type.wellKnown === 'DURATION') return duration;
  if (type.wellKnown) return dyn;
  if (type.listType) return listOf(readSpecType(type.listType.elemType));
  if (type.mapType) return mapOf(readSpecType(type.mapType.keyType), readSpecType(type.mapType.valueType));
  if (type.abstractType) {
    const params = (type.abstractType.parameterTypes ?? []).map(readSpecType);
    return type.abstractType.name === 'optional_type'
      ? optionalOf(params[0]!)
      : opaque(type.abstractType.name);
  }
  if (type.type) return typeOf(readSpecType(type.type));
  if ('null' in type) return nullType;
  return dyn;
}

const optionalUrl = 'type.googleapis.com/cel.expr.conformance.Optional';

export function readSpecValue(value: SpecValue): Value | CelType {
  if (value.boolValue !== undefined) return value.boolValue;
  if (value.int64Value !== undefined) return toInt(BigInt(value.int64Value));
  if (value.uint64Value !== undefined) return new Uint(BigInt(value.uint64Value));
  if (value.doubleValue !== undefined) return new Double(readDouble(value.doubleValue));
  if (value.stringValue !== undefined) return value.stringValue;
  if (value.bytesValue !== undefined) return new Bytes(Buffer.from(value.bytesValue, 'base64'));
  if (value.listValue) return (value.listValue.values ?? []).map(readSpecValue);
  if (value.mapValue) {
    return createMap(
      (value.mapValue.entries ?? []).map(({ key, value: inner }) => [
        readSpecValue(key),
        readSpecValue(inner),
      ]),
    );
  }
  if (value.typeValue !== undefined) return opaque(value.typeValue);
  if (value.objectValue) return readMessage(value.objectValue);
  return null;
}

const readDouble = (value: number | string) =>
  typeof value === 'number' ? value : Number(value === 'NaN' ? Number.NaN : value);

function readMessage(message: NonNullable<SpecValue['objectValue']>): Value {
  const type = message['@type'];
  if (type.endsWith('google.protobuf.Timestamp')) return parseTimestamp(message.value as string)!;
  if (type.endsWith('google.protobuf.Duration')) return parseDuration(message.value as string)!;
  if (type === optionalUrl) return CelOptional.none;
  throw new Error(`a message: ${type}`);
}

const messages =
  /TestAllTypes|TestRequired|cel\.expr\.conformance|proto\.(?:get|has)Ext|google\.protobuf\.(?:Any|Struct|Value|ListValue|NullValue|(?:Bool|Bytes|Double|Float|U?Int(?:32|64)|String)Value)|\bNullValue\b|google\.protobuf\.(?:Timestamp|Duration)\s*\{/;
const plainMessages = /"@type":"type\.googleapis\.com\/google\.protobuf\.(?:Timestamp|Duration)"/g;

/** Whether a case is about protobuf messages (or their enums and wrappers), which this API does not have. */
export function isAboutMessages(spec: SpecCase): boolean {
  const { name: _, ...rest } = spec;
  return (
    messages.test(JSON.stringify(rest).replace(plainMessages, '')) ||
    spec.container === 'google.protobuf' ||
    /GlobalEnum|NestedEnum/.test(spec.expr)
  );
}
