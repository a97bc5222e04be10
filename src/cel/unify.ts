// CEL type checker: unification of type parameters.
import { type CelType, dyn, listOf, mapOf, optionalOf, typeOf, typeParam } from './types.ts';

/**
 * What is known of type parameters while an expression is checked. Trying whether a type fits may bind parameters;
 * where it does not fit after all, everything is as before.
 */
export class Bindings {
  readonly #bound = new Map<string, CelType>();
  /** The previous bindings, for backtracking. */
  readonly #undo: [name: string, before: CelType | undefined][] = [];
  #fresh = 0;

  newParam(): CelType {
    return typeParam(`_var${this.#fresh++}`);
  }

  /** Whether one type may stand where the other is expected. */
  isAssignable(one: CelType, other: CelType): boolean {
    return this.#tried(() => this.#assignable(one, other));
  }

  areAssignable(some: readonly CelType[], others: readonly CelType[]): boolean {
    return this.#tried(() => this.#allAssignable(some, others));
  }

  /** The type with all known parameters filled in; those unknown stay, or become dyn. */
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

  #tried(attempt: () => boolean): boolean {
    const mark = this.#undo.length;
    if (attempt()) return true;
    while (this.#undo.length > mark) {
      const [name, before] = this.#undo.pop()!;
      if (before) this.#bound.set(name, before);
      else this.#bound.delete(name);
    }
    return false;
  }

  #bind(param: CelType, type: CelType): void {
    this.#undo.push([param.name, this.#bound.get(param.name)]);
    this.#bound.set(param.name, type);
  }

  #allAssignable(some: readonly CelType[], others: readonly CelType[]): boolean {
    return some.length === others.length && some.every((one, i) => this.#assignable(one, others[i]!));
  }

  #assignable(one: CelType, other: CelType): boolean {
    if (other.kind === 'param') {
      const { fits, wasBound } = this.#substitutes(one, other);
      if (fits) return true;
      if (wasBound) return false;
    }
    if (one.kind === 'param') return this.#substitutes(other, one).fits;
    if (isAnything(one) || isAnything(other)) return true;
    if (one.kind === 'null' && other.kind !== 'null') return isNullable(other);
    if (other.kind === 'null' && one.kind !== 'null') return isNullable(one);
    if (one.kind !== other.kind) return false;
    if (one.kind === 'type') return true;
    return one.name === other.name && this.#allAssignable(one.params, other.params);
  }

  /** Whether a type may be put for a parameter, which is then bound to it or to the more general of both. */
  #substitutes(type: CelType, param: CelType): { fits: boolean; wasBound: boolean } {
    if (type.isExactly(param)) return { fits: true, wasBound: true };
    const bound = this.#bound.get(param.name);
    if (bound) {
      if (type.isExactly(bound)) return { fits: true, wasBound: true };
      if (!this.#assignable(type, bound)) return { fits: false, wasBound: true };
      const general = mostGeneral(type, bound);
      if (!this.#occursIn(param, general)) this.#bind(param, general);
      return { fits: true, wasBound: true };
    }
    if (this.#occursIn(param, type)) return { fits: false, wasBound: false };
    this.#bind(param, type);
    return { fits: true, wasBound: false };
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

const isAnything = ({ kind }: CelType) => kind === 'dyn' || kind === 'any' || kind === 'error';

function isNullable({ kind }: CelType): boolean {
  return kind === 'opaque' || kind === 'struct' || kind === 'duration' || kind === 'timestamp';
}

/** Of two types that fit each other, the one that says less. */
export function mostGeneral(one: CelType, other: CelType): CelType {
  return saysNoMore(one, other) ? one : other;
}

const mayBeMore = ({ kind }: CelType) => kind === 'dyn' || kind === 'any' || kind === 'param';

function saysNoMore(one: CelType, other: CelType): boolean {
  if (mayBeMore(one)) return true;
  if (mayBeMore(other)) return false;
  if (one.kind !== other.kind) return false;
  if (one.kind === 'type') return true;
  return (
    one.name === other.name &&
    one.params.length === other.params.length &&
    one.params.every((param, i) => saysNoMore(param, other.params[i]!))
  );
}
