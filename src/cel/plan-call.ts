import type { Overload } from './declarations.ts';
import { fail } from './errors.ts';
import type { Step } from './machine.ts';
import type { CallCost } from './runtime-cost.ts';
import { CelType } from './types.ts';
import {
  Bytes,
  Double,
  Duration,
  isInt,
  isList,
  isMap,
  Optional,
  Timestamp,
  Uint,
  type Value,
} from './values.ts';

type Implementation = (...args: Value[]) => Value;

/** Whether a value may be given where a type is declared. */
function fits(type: CelType, value: Value): boolean {
  switch (type.kind) {
    case 'string':
      return typeof value === 'string';
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
      return isInt(value);
    case 'uint':
      return value instanceof Uint;
    case 'double':
      return value instanceof Double;
    case 'bytes':
      return value instanceof Bytes;
    case 'timestamp':
      return value instanceof Timestamp;
    case 'duration':
      return value instanceof Duration;
    case 'null':
      return value === null;
    case 'list':
      return isList(value);
    case 'map':
      return isMap(value);
    case 'type':
      return value instanceof CelType;
    case 'opaque':
    case 'struct':
      if (type.isOptional) return value instanceof Optional;
      return (
        typeof value === 'object' &&
        value !== null &&
        'type' in value &&
        (value.type as CelType).name === type.name
      );
    default:
      return true;
  }
}

/** The elements of a list tell apart overloads such as `sum` of ints and of doubles. */
function fitsDeeply(type: CelType, value: Value): boolean {
  if (!fits(type, value)) return false;
  if (type.kind !== 'list' || !isList(value)) return true;
  return value.length === 0 || fits(type.params[0]!, value[0]!);
}

/** A function that calls whichever overload its arguments fit. */
export function dispatch(name: string, overloads: readonly Overload[]): Implementation {
  const candidates = overloads.filter((overload) => overload.call);
  return (...args) => {
    for (const { args: types, call } of candidates) {
      if (types.length === args.length && types.every((type, i) => fitsDeeply(type, args[i]!)))
        return (call as Implementation)(...args);
    }
    return fail(candidates.length > 1 ? `no such overload: ${name}` : 'no such overload');
  };
}

export function planCall(args: readonly Step[], call: Implementation, cost: CallCost | undefined): Step {
  const [first, second] = args;
  if (args.length === 1) {
    return (machine) => {
      const a = first!(machine);
      machine.charge(cost ? cost([a]) : 1);
      return call(a);
    };
  }
  if (args.length === 2) {
    return (machine) => {
      const a = first!(machine);
      const b = second!(machine);
      machine.charge(cost ? cost([a, b]) : 1);
      return call(a, b);
    };
  }
  return (machine) => {
    const values = args.map((arg) => arg(machine));
    machine.charge(cost ? cost(values) : 1);
    return call(...values);
  };
}
