// CEL type checker: unification of type parameters.
import { type CelType, dyn, listOf, mapOf, optionalOf, typeOf, typeParam } from './types.ts';

/**
 * The bindings of type parameters while an expression is checked. A check for assignability may bind parameters; if it
 * fails, the bindings are restored.
 */
export class TypeBindings {
  readonly #bound = new Map<string, CelType>();
  /** The previous bindings, for backtracking. */
  readonly #undoLog: [name: string, before: CelType | undefined][] = [];
  #paramCount = 0;

  newParam(): CelType {
    return typeParam(`_var${this.#paramCount++}`);
  }

  /** Whether a type can be used where another is expected. */
  isAssignable(expected: CelType, actual: CelType): boolean {
    return this.#attempt(() => this.#assignable(expected, actual));
  }

  areAssignable(some: readonly CelType[], others: readonly CelType[]): boolean {
    return this.#attempt(() => this.#allAssignable(some, others));
  }

  /** Substitutes bound type parameters; unbound ones stay, or become dyn. */
  resolve(type: CelType, unknownToDyn: boolean): CelType {
    const bound = type.kind === 'param' ? this.#bound.get(type.name) : undefined;
    if (bound) return this.resolve(bound, unknownToDyn);
    if (type.kind === 'param') return unknownToDyn ? dyn : type;
    if (type.params.length === 0) return type;
    const params = type.params.map((param) => this.resolve(param, unknownToDyn));
    if (params.every((param, i) => param === type.params[i])) return type;
    switch (type.kind) {
      case 'list':
        return listOf(params[0]!);
      case 'map':
        return mapOf(params[0]!, params[1]!);
      case 'type':
        return typeOf(params[0]!);
      default:
        return optionalOf(params[0]!);
    }
  }

  #attempt(check: () => boolean): boolean {
    const mark = this.#undoLog.length;
    if (check()) return true;
    while (this.#undoLog.length > mark) {
      const [name, before] = this.#undoLog.pop()!;
      if (before) this.#bound.set(name, before);
      else this.#bound.delete(name);
    }
    return false;
  }

  #bind(param: CelType, type: CelType): void {
    this.#undoLog.push([param.name, this.#bound.get(param.name)]);
    this.#bound.set(param.name, type);
  }

  #allAssignable(some: readonly CelType[], others: readonly CelType[]): boolean {
    return some.length === others.length && some.every((one, i) => this.#assignable(one, others[i]!));
  }

  #assignable(one: CelType, other: CelType): boolean {
    if (other.kind === 'param') {
      const { isAssignable, wasBound } = this.#bindParam(one, other);
      if (isAssignable) return true;
      if (wasBound) return false;
    }
    if (one.kind === 'param') return this.#bindParam(other, one).isAssignable;
    if (isDynamic(one) || isDynamic(other)) return true;
    if (one.kind === 'null' && other.kind !== 'null') return isNullable(other);
    if (other.kind === 'null' && one.kind !== 'null') return isNullable(one);
    if (one.kind !== other.kind) return false;
    if (one.kind === 'type') return true;
    return one.name === other.name && this.#allAssignable(one.params, other.params);
  }

  /** Binds a parameter to a type, or to the more general of the type and its current binding. */
  #bindParam(type: CelType, param: CelType): { isAssignable: boolean; wasBound: boolean } {
    if (type.isExactly(param)) return { isAssignable: true, wasBound: true };
    const bound = this.#bound.get(param.name);
    if (bound) {
      if (type.isExactly(bound)) return { isAssignable: true, wasBound: true };
      if (!this.#assignable(type, bound)) return { isAssignable: false, wasBound: true };
      const general = mostGeneral(type, bound);
      if (!this.#occursIn(param, general)) this.#bind(param, general);
      return { isAssignable: true, wasBound: true };
    }
    if (this.#occursIn(param, type)) return { isAssignable: false, wasBound: false };
    this.#bind(param, type);
    return { isAssignable: true, wasBound: false };
  }

  #occursIn(param: CelType, type: CelType): boolean {
    if (param.isExactly(type)) return true;
    if (type.kind === 'param') {
      const bound = this.#bound.get(type.name);
      return bound !== undefined && this.#occursIn(param, bound);
    }
    return type.params.some((inner) => this.#occursIn(param, inner));
  }
}

const isDynamic = ({ kind }: CelType) => kind === 'dyn' || kind === 'any' || kind === 'error';

function isNullable({ kind }: CelType): boolean {
  return kind === 'opaque' || kind === 'struct' || kind === 'duration' || kind === 'timestamp';
}

/** The more general of two assignable types. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isLessSpecific(a, b) ? a : b;
}

const isOpenType = ({ kind }: CelType) => kind === 'dyn' || kind === 'any' || kind === 'param';

function isLessSpecific(a: CelType, b: CelType): boolean {
  if (isOpenType(a)) return true;
  if (isOpenType(b)) return false;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  return (
    a.name === b.name &&
    a.params.length === b.params.length &&
    a.params.every((param, i) => isLessSpecific(param, b.params[i]!))
  );
}
