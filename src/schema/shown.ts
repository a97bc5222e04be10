// Values as their JSON shows them, without encoding.
import { ListType, MapType } from './collections.ts';
import { type Field, Struct } from './struct.ts';
import type { Type } from './type.ts';

/** Converts a value in memory to what a client would decode. */
type JsonConverter = (value: unknown) => unknown;

const converters = new WeakMap<Type, JsonConverter | undefined>();

/**
 * The value that decoding the object's JSON would give, without encoding: empty fields are omitted, always-encoded
 * fields are present. Read-only, since it shares parts with the value.
 */
export function shown<T>(type: Type<T>, value: T): T {
  return (converterOf(type as Type)?.(value) ?? value) as T;
}

/** Undefined if values equal their JSON. */
function converterOf(type: Type): JsonConverter | undefined {
  if (converters.has(type)) return converters.get(type);
  let own: JsonConverter | undefined;
  // Recursive types find this entry while their own is being built.
  converters.set(type, (value) => (own ? own(value) : value));
  own = makeConverter(type);
  converters.set(type, own);
  return own;
}

function makeConverter(type: Type): JsonConverter | undefined {
  if (type instanceof Struct) return structConverter(type);
  if (type instanceof ListType) return listConverter(converterOf(type.element));
  if (type instanceof MapType) return mapConverter(converterOf(type.element));
  return undefined;
}

interface ShownField extends Pick<Field, 'type' | 'optional'> {
  readonly name: string;
  readonly empty: unknown;
  readonly show: JsonConverter | undefined;
}

function structConverter({ fields }: Struct<unknown>): JsonConverter {
  const all: ShownField[] = Object.entries(fields).map(([name, { type, optional, omitEmpty }]) => ({
    name,
    type,
    optional,
    empty: omitEmpty ? undefined : optional ? null : JSON.parse(type.emptyJson),
    show: converterOf(type),
  }));
  return (value) => {
    const before = value as Readonly<Record<string, unknown>>;
    let after: Record<string, unknown> | undefined;
    for (const { name, type, optional, empty, show } of all) {
      const member = before[name];
      const saysNothing = member === undefined || member === null || (!optional && type.isEmpty(member));
      const isShown = saysNothing ? empty : show ? show(member) : member;
      if (isShown === member) continue;
      after ??= { ...before };
      if (isShown === undefined) delete after[name];
      else after[name] = isShown;
    }
    return after ?? before;
  };
}

function listConverter(show: JsonConverter | undefined): JsonConverter | undefined {
  if (!show) return undefined;
  return (value) => {
    const before = value as readonly unknown[];
    const after = before.map(show);
    return after.some((element, i) => element !== before[i]) ? after : before;
  };
}

function mapConverter(show: JsonConverter | undefined): JsonConverter | undefined {
  if (!show) return undefined;
  return (value) => {
    const before = value as Readonly<Record<string, unknown>>;
    let after: Record<string, unknown> | undefined;
    for (const key of Object.keys(before)) {
      const element = show(before[key]);
      if (element === before[key]) continue;
      after ??= Object.assign(Object.create(null), before) as Record<string, unknown>;
      after[key] = element;
    }
    return after ?? before;
  };
}
