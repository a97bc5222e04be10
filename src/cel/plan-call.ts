// CEL planner: function calls with overload dispatch.
import type { RuntimeCost } from './cost/call-cost.ts';
import type { Overload } from './declarations.ts';
import { fail } from './errors.ts';
import type { Step } from './machine.ts';
import { CelType } from './types.ts';
import {
  Bytes,
  CelOptional,
  Double,
  Duration,
  isInt,
  isList,
  isMap,
  Timestamp,
  Uint,
  type Value,
} from './values.ts';

type Implementation = (...args: Value[]) => Value;
type ArgumentGuard = (value: Value) => boolean;

const guardByKind: Readonly<Record<string, ArgumentGuard>> = {
  string: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
  int: isInt,
  uint: (value) => value instanceof Uint,
  double: (value) => value instanceof Double,
  bytes: (value) => value instanceof Bytes,
  timestamp: (value) => value instanceof Timestamp,
  duration: (value) => value instanceof Duration,
  null: (value) => value === null,
  map: isMap,
  type: (value) => value instanceof CelType,
};

const anyValue: ArgumentGuard = () => true;

/** The runtime check whether a value matches a declared type. */
function guardFor(type: CelType): ArgumentGuard {
  switch (type.kind) {
    case 'list': {
      // The first element distinguishes overloads such as `sum` of ints and of doubles.
      const elementGuard = guardFor(type.params[0]!);
      return (value) => isList(value) && (value.length === 0 || elementGuard(value[0]!));
    }
    case 'opaque':
    case 'struct':
      if (type.isOptional) return (value) => value instanceof CelOptional;
      return (value) =>
        typeof value === 'object' &&
        value !== null &&
        'type' in value &&
        (value.type as CelType).name === type.name;
    default:
      return guardByKind[type.kind] ?? anyValue;
  }
}

interface OverloadCandidate {
  readonly guards: readonly ArgumentGuard[];
  readonly call: Implementation;
}

/** Plans a call; several candidate overloads are dispatched at runtime by the argument types. */
export function planCall(
  name: string,
  overloads: readonly Overload[],
  args: readonly Step[],
  cost: RuntimeCost | undefined,
): Step {
  const candidates: OverloadCandidate[] = overloads
    .filter((overload) => overload.call && overload.args.length === args.length)
    .map(({ args: types, call }) => ({ guards: types.map(guardFor), call: call as Implementation }));
  if (candidates.length !== 1) return dispatchOverload(name, candidates, args, cost);
  const [{ guards: argGuards, call }] = candidates as [OverloadCandidate];
  const [first, second] = args;
  // Fast paths of calls with one or two arguments: without an array of values.
  if (args.length === 1) {
    const guard = argGuards[0]!;
    return (machine) => {
      const a = first!(machine);
      machine.charge(cost ? cost(a, null) : 1);
      return guard(a) ? call(a) : fail('no such overload');
    };
  }
  if (args.length === 2) {
    const [firstGuard, secondGuard] = argGuards as [ArgumentGuard, ArgumentGuard];
    return (machine) => {
      const a = first!(machine);
      const b = second!(machine);
      machine.charge(cost ? cost(a, b) : 1);
      return firstGuard(a) && secondGuard(b) ? call(a, b) : fail('no such overload');
    };
  }
  return dispatchOverload(name, candidates, args, cost);
}

function dispatchOverload(
  name: string,
  candidates: readonly OverloadCandidate[],
  args: readonly Step[],
  cost: RuntimeCost | undefined,
): Step {
  return (machine) => {
    const values = args.map((arg) => arg(machine));
    machine.charge(cost ? cost(values[0]!, values[1]!, values[2]) : 1);
    for (const { guards: argGuards, call } of candidates) {
      if (argGuards.every((guard, i) => guard(values[i]!))) return call(...values);
    }
    return fail(candidates.length > 1 ? `no such overload: ${name}` : 'no such overload');
  };
}
