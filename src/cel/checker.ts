// CEL type checker: resolves names, types and overloads.
import {
  type Call,
  type Comprehension,
  type Expr,
  type Ident,
  type ListExpr,
  type MapExpr,
  qualifiedName,
  type Select,
  type StructExpr,
} from './ast.ts';
import type { FunctionDeclaration, Overload } from './declarations.ts';
import { escapeName, unescapedNames } from './escaping.ts';
import type { Issue } from './source.ts';
import {
  bool,
  bytes,
  type CelType,
  double,
  dyn,
  errorType,
  formatArguments,
  formatType,
  int,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  type StructField,
  string,
  typeOf,
  uint,
} from './types.ts';
import { Bindings, mostGeneral } from './unify.ts';

/** The variables, types and functions in scope. */
export interface Scope {
  readonly container: string;
  /** The type of a variable, or of the name of a type; undefined if there is none. */
  variable(name: string): CelType | undefined;
  function(name: string): FunctionDeclaration | undefined;
  /** Whether `1 < 1.0` may be written. */
  readonly crossTypeNumericComparisons: boolean;
  /** Whether a field may be selected by any of its escaped names. */
  readonly escapedFields: boolean;
}

/** A resolved call: the function, and the overloads that the argument types allow. */
export interface CallReference {
  readonly function: FunctionDeclaration;
  readonly overloads: readonly Overload[];
  /** The target was part of the function's name: `optional.of(x)`. */
  readonly isNamespaced: boolean;
}

export interface Checked {
  readonly expr: Expr;
  readonly type: CelType;
  /** By the number of the node. */
  readonly types: ReadonlyMap<number, CelType>;
  readonly calls: ReadonlyMap<number, CallReference>;
  /** Names, also with dots, that are variables or types; by the number of the node. */
  readonly names: ReadonlyMap<number, string>;
}

export type CheckResult = Checked | { readonly issues: readonly Issue[] };

export function check(expr: Expr, scope: Scope): CheckResult {
  const checker = new Checker(scope);
  checker.check(expr);
  if (checker.issues.length > 0) return { issues: checker.issues };
  return checker.result(expr);
}

/** The full names that a name may stand for in a container, the innermost first. */
export function candidateNames(container: string, name: string): string[] {
  if (name.startsWith('.')) return [name.slice(1)];
  const names: string[] = [];
  for (
    let prefix = container;
    prefix !== '';
    prefix = prefix.slice(0, Math.max(0, prefix.lastIndexOf('.')))
  ) {
    names.push(`${prefix}.${name}`);
  }
  names.push(name);
  return names;
}

class Checker {
  readonly issues: Issue[] = [];
  readonly #scope: Scope;
  readonly #bindings = new Bindings();
  readonly #types = new Map<number, CelType>();
  readonly #calls = new Map<number, CallReference>();
  readonly #names = new Map<number, string>();
  /** The variables of macros, the innermost last. */
  readonly #locals: (readonly [name: string, type: CelType])[] = [];

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  result(expr: Expr): Checked {
    for (const [id, type] of this.#types) this.#types.set(id, this.#bindings.resolve(type, true));
    return {
      expr,
      type: this.#types.get(expr.id)!,
      types: this.#types,
      calls: this.#calls,
      names: this.#names,
    };
  }

  check(expr: Expr): CelType {
    const type = this.#typeOf(expr);
    this.#types.set(expr.id, type);
    return type;
  }

  #report(at: { readonly offset: number }, message: string): void {
    this.issues.push({ message, offset: at.offset });
  }

  #typeOf(expr: Expr): CelType {
    switch (expr.node) {
      case 'literal':
        return literalTypes[expr.literal.kind];
      case 'ident':
        return this.#ident(expr);
      case 'select':
        return this.#select(expr);
      case 'call':
        return expr.name === '_?._' ? this.#optionalSelect(expr) : this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        return this.#struct(expr);
      case 'comprehension':
        return this.#comprehension(expr);
    }
  }

  #lookup(id: number, name: string): CelType | undefined {
    for (let i = this.#locals.length - 1; i >= 0; i--) {
      if (this.#locals[i]![0] === name) {
        this.#names.set(id, name);
        return this.#locals[i]![1];
      }
    }
    for (const candidate of candidateNames(this.#scope.container, name)) {
      const type = this.#scope.variable(candidate);
      if (type) {
        this.#names.set(id, candidate);
        return type;
      }
    }
    return undefined;
  }

  #undeclared(at: Expr, name: string): CelType {
    this.#report(at, `undeclared reference to '${name}' (in container '${this.#scope.container}')`);
    return errorType;
  }

  #ident(expr: Ident): CelType {
    return this.#lookup(expr.id, expr.name) ?? this.#undeclared(expr, expr.name);
  }

  #select(expr: Select): CelType {
    const name = expr.testOnly ? undefined : qualifiedName(expr);
    const variable = name === undefined ? undefined : this.#lookup(expr.id, name);
    if (variable) return variable;
    const type = this.#field(expr, expr.operand, expr.field, false);
    return expr.testOnly ? bool : this.#bindings.resolve(type, false);
  }

  #optionalSelect(expr: Call): CelType {
    const [operand, field] = expr.args;
    if (field?.node !== 'literal' || field.literal.kind !== 'string') {
      this.#report(field ?? expr, 'unsupported optional field selection');
      return errorType;
    }
    this.check(field);
    this.#calls.set(expr.id, {
      function: { name: expr.name, overloads: [] },
      overloads: [],
      isNamespaced: false,
    });
    return this.#bindings.resolve(this.#field(expr, operand!, field.literal.value, true), false);
  }

  #field(expr: Expr, operand: Expr, field: string, isOptional: boolean): CelType {
    const operandType = this.#bindings.resolve(this.check(operand), false);
    const target = operandType.isOptional ? operandType.params[0]! : operandType;
    const type = this.#fieldOf(expr, target, field);
    return operandType.isOptional || isOptional ? optionalOf(type) : type;
  }

  #fieldOf(expr: Expr, target: CelType, field: string): CelType {
    switch (target.kind) {
      case 'map':
        return target.params[1]!;
      case 'struct': {
        const known = target.fields?.get(field) ?? this.#escapedField(target, field);
        if (known) return known.type;
        this.#report(
          expr,
          target.fields ? `undefined field '${field}'` : `unexpected failed resolution of '${target.name}'`,
        );
        return errorType;
      }
      case 'param':
        this.#bindings.isAssignable(dyn, target);
        return dyn;
      case 'dyn':
      case 'any':
      case 'error':
        return dyn;
      default:
        this.#report(expr, `type '${formatType(target)}' does not support field selection`);
        return dyn;
    }
  }

  #escapedField({ fields }: CelType, name: string): StructField | undefined {
    if (!this.#scope.escapedFields || !fields) return undefined;
    for (const unescaped of unescapedNames(name)) {
      const found = fields.get(escapeName(unescaped) ?? '');
      if (found) return found;
    }
    return undefined;
  }

  #functionNamed(name: string): FunctionDeclaration | undefined {
    for (const candidate of candidateNames(this.#scope.container, name)) {
      const found = this.#scope.function(candidate);
      if (found) return found;
    }
    return undefined;
  }

  #call(expr: Call): CelType {
    const argTypes = expr.args.map((arg) => this.check(arg));
    if (!expr.target) {
      const found = this.#functionNamed(expr.name);
      return found ? this.#resolve(expr, found, argTypes, false) : this.#undeclared(expr, expr.name);
    }
    const prefix = qualifiedName(expr.target);
    const namespaced = prefix === undefined ? undefined : this.#functionNamed(`${prefix}.${expr.name}`);
    if (namespaced) return this.#resolve(expr, namespaced, argTypes, true);
    const targetType = this.check(expr.target);
    const found = this.#functionNamed(expr.name);
    if (!found) return this.#undeclared(expr, expr.name);
    return this.#resolve(expr, found, [targetType, ...argTypes], false);
  }

  #resolve(expr: Call, found: FunctionDeclaration, argTypes: CelType[], isNamespaced: boolean): CelType {
    const isMember = expr.target !== undefined && !isNamespaced;
    if (found.name === '_&&_' || found.name === '_||_') return this.#logical(expr, found, argTypes);
    const fitting: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of found.overloads) {
      if (overload.isMember !== isMember || !this.#isEnabled(overload)) continue;
      const [args, returned] = this.#instantiate(overload);
      if (!this.#bindings.areAssignable(argTypes, args)) continue;
      fitting.push(overload);
      const type = this.#bindings.resolve(returned, false);
      if (result === undefined) result = type;
      else if (result.kind !== 'dyn' && !result.isExactly(type)) result = dyn;
    }
    if (result === undefined) {
      const types = argTypes.map((type) => this.#bindings.resolve(type, true));
      this.#report(
        expr,
        `found no matching overload for '${found.name}' applied to '${formatArguments(types, isMember)}'`,
      );
      return errorType;
    }
    this.#calls.set(expr.id, { function: found, overloads: fitting, isNamespaced });
    return result;
  }

  #isEnabled({ id }: Overload): boolean {
    return this.#scope.crossTypeNumericComparisons || !crossTypeComparison.test(id);
  }

  #logical(expr: Call, found: FunctionDeclaration, argTypes: readonly CelType[]): CelType {
    let fits = true;
    argTypes.forEach((type, i) => {
      if (this.#bindings.isAssignable(type, bool)) return;
      this.#mismatch(expr.args[i]!, bool, type);
      fits = false;
    });
    if (!fits) return errorType;
    this.#calls.set(expr.id, { function: found, overloads: found.overloads, isNamespaced: false });
    return bool;
  }

  /** The overload's types with parameters of this call's own. */
  #instantiate(overload: Overload): [args: readonly CelType[], result: CelType] {
    if (!overload.hasTypeParams) return [overload.args, overload.result];
    const fresh = new Map<string, CelType>();
    const renew = (type: CelType): CelType => {
      if (type.kind === 'param') {
        let param = fresh.get(type.name);
        if (!param) {
          param = this.#bindings.newParam();
          fresh.set(type.name, param);
        }
        return param;
      }
      if (type.params.length === 0) return type;
      const params = type.params.map(renew);
      if (type.kind === 'list') return listOf(params[0]!);
      if (type.kind === 'map') return mapOf(params[0]!, params[1]!);
      return type.kind === 'type' ? typeOf(params[0]!) : optionalOf(params[0]!);
    };
    return [overload.args.map(renew), renew(overload.result)];
  }

  #mismatch(at: { readonly offset: number }, expected: CelType, found: CelType): void {
    this.#report(
      at,
      `expected type '${formatType(this.#bindings.resolve(expected, false))}' but found '${formatType(this.#bindings.resolve(found, false))}'`,
    );
  }

  /** The element type of an optional list element (`?`). */
  #unwrapped(expr: Expr, type: CelType): CelType {
    if (type.isOptional) return type.params[0]!;
    if (type.kind !== 'dyn') this.#mismatch(expr, optionalOf(type), type);
    return type;
  }

  #list(expr: ListExpr): CelType {
    let joined: CelType | undefined;
    expr.elements.forEach((element, i) => {
      const type = this.check(element);
      joined = this.#join(joined, expr.optional.has(i) ? this.#unwrapped(element, type) : type);
    });
    return listOf(joined ?? this.#bindings.newParam());
  }

  #map(expr: MapExpr): CelType {
    let key: CelType | undefined;
    let value: CelType | undefined;
    for (const entry of expr.entries) {
      key = this.#join(key, this.check(entry.key));
      const type = this.check(entry.value);
      value = this.#join(value, entry.optional ? this.#unwrapped(entry.value, type) : type);
    }
    return mapOf(key ?? this.#bindings.newParam(), value ?? this.#bindings.newParam());
  }

  #join(before: CelType | undefined, type: CelType): CelType {
    if (before === undefined) return type;
    // Null beside something that may be null says nothing about the type.
    if (type.kind === 'null' && this.#bindings.isAssignable(before, type)) return before;
    if (this.#bindings.isAssignable(before, type)) return mostGeneral(before, type);
    return dyn;
  }

  #struct(expr: StructExpr): CelType {
    const found = this.#lookup(expr.id, expr.typeName);
    if (!found) return this.#undeclared(expr, expr.typeName);
    let type = errorType;
    if (found.kind !== 'type') this.#report(expr, `'${found.name}' is not a type`);
    else if (found.params[0]!.kind !== 'struct') {
      this.#report(expr, `'${found.params[0]!.name}' is not a message type`);
    } else type = found.params[0]!;
    for (const entry of expr.fields) this.#fieldEntry(type, entry);
    return type;
  }

  #fieldEntry(type: CelType, entry: StructExpr['fields'][number]): void {
    const given = this.check(entry.value);
    const value = entry.optional ? this.#unwrapped(entry.value, given) : given;
    if (type.kind === 'error') return;
    const known = type.fields?.get(entry.field);
    if (!known) this.#report(entry, `undefined field '${entry.field}'`);
    else if (!this.#bindings.isAssignable(known.type, value)) {
      this.#report(
        entry,
        `expected type of field '${entry.field}' is '${formatType(known.type)}' but provided type is '${formatType(value)}'`,
      );
    }
  }

  #comprehension(expr: Comprehension): CelType {
    const range = this.#bindings.resolve(this.check(expr.range), false);
    const accumulator = this.check(expr.init);
    const [first, second] = this.#elementTypes(expr, range);
    this.#locals.push([expr.accumulator, accumulator], [expr.variable, first]);
    if (expr.variable2 !== undefined) this.#locals.push([expr.variable2, second]);
    this.#require(expr.condition, this.check(expr.condition), bool);
    this.#require(expr.step, this.check(expr.step), accumulator);
    this.#locals.length -= expr.variable2 === undefined ? 1 : 2;
    const result = this.check(expr.result);
    this.#locals.length--;
    return this.#bindings.resolve(result, false);
  }

  #require(at: Expr, type: CelType, expected: CelType): void {
    if (!this.#bindings.isAssignable(expected, type)) this.#mismatch(at, expected, type);
  }

  #elementTypes(expr: Comprehension, range: CelType): [first: CelType, second: CelType] {
    const two = expr.variable2 !== undefined;
    switch (range.kind) {
      case 'list':
        return two ? [int, range.params[0]!] : [range.params[0]!, dyn];
      case 'map':
        return [range.params[0]!, range.params[1]!];
      case 'dyn':
      case 'error':
      case 'param':
        this.#bindings.isAssignable(dyn, range);
        return [dyn, dyn];
      default:
        this.#report(
          expr.range,
          `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return [errorType, errorType];
    }
  }
}

const crossTypeComparison =
  /^(?:less|greater)(?:_equals)?_(?:int64_(?:double|uint64)|uint64_(?:double|int64)|double_(?:int64|uint64))$/;

const literalTypes = { null: nullType, bool, int, uint, double, string, bytes } as const;
