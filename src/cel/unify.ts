// CEL type checker: unification of type parameters.
import { type CelType, dyn, listOf, mapOf, optionalOf, typeOf, typeParam } from './types.ts';

/**
 * The bindings of type parameters while an expression is checked. A check for assignability may bind parameters; if it
 * fails, the bindings are restored.
 */
export class TypeBindings {
  readonly #bound = new Map<string, CelType>();
  /** The previous bindings, which a failed check restores. */
  readonly #undoLog: [name: string, previous: CelType | undefined][] = [];
  #paramCount = 0;

  newParam(): CelType {
    return typeParam(`_var${this.#paramCount++}`);
  }

  /**
   * Whether one type can be used where the other is expected. The order of the types only decides which of two type
   * parameters is bound.
   */
  isAssignable(left: CelType, right: CelType): boolean {
    return this.#attempt(() => this.#assignable(left, right));
  }

  areAssignable(lefts: readonly CelType[], rights: readonly CelType[]): boolean {
    return this.#attempt(() => this.#allAssignable(lefts, rights));
  }

  /** Substitutes bound type parameters. Unbound ones stay, since later checks may bind them. */
  resolve(type: CelType): CelType {
    return this.#substitute(type, (unboundParam) => unboundParam);
  }

  /** Substitutes bound type parameters by their types and unbound ones by dyn. */
  resolveOrDyn(type: CelType): CelType {
    return this.#substitute(type, () => dyn);
  }

  #substitute(type: CelType, forUnbound: (param: CelType) => CelType): CelType {
    if (type.kind === 'param') {
      const bound = this.#bound.get(type.name);
      return bound ? this.#substitute(bound, forUnbound) : forUnbound(type);
    }
    if (type.params.length === 0) return type;
    const params = type.params.map((param) => this.#substitute(param, forUnbound));
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

  /** Runs a check; if it fails, restores the bindings. */
  #attempt(check: () => boolean): boolean {
    const undoLength = this.#undoLog.length;
    if (check()) return true;
    while (this.#undoLog.length > undoLength) {
      const [name, previous] = this.#undoLog.pop()!;
      if (previous) this.#bound.set(name, previous);
      else this.#bound.delete(name);
    }
    return false;
  }

  #bind(param: CelType, type: CelType): void {
    this.#undoLog.push([param.name, this.#bound.get(param.name)]);
    this.#bound.set(param.name, type);
  }

  #allAssignable(lefts: readonly CelType[], rights: readonly CelType[]): boolean {
    return lefts.length === rights.length && lefts.every((left, i) => this.#assignable(left, rights[i]!));
  }

  #assignable(left: CelType, right: CelType): boolean {
    if (right.kind === 'param') {
      const { isAssignable, wasBound } = this.#bindParam(left, right);
      if (isAssignable) return true;
      if (wasBound) return false;
    }
    if (left.kind === 'param') return this.#bindParam(right, left).isAssignable;
    if (isDynamic(left) || isDynamic(right)) return true;
    if (left.kind === 'null' && right.kind !== 'null') return isNullable(right);
    if (right.kind === 'null' && left.kind !== 'null') return isNullable(left);
    if (left.kind !== right.kind) return false;
    if (left.kind === 'type') return true;
    return left.name === right.name && this.#allAssignable(left.params, right.params);
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

  /** The occurs check: a parameter cannot be bound to a type that contains it. */
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

/** Whether null is a value of the type. */
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
