// CEL type checker: resolves identifiers, types and overloads.
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
import { escapeName, unescapeName } from './escaping.ts';
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
import { mostGeneral, TypeBindings } from './unify.ts';

export interface CheckerScope {
  /** The namespace in which unqualified names are resolved first. */
  readonly container: string;
  /** The type of a variable or type identifier. */
  variable(name: string): CelType | undefined;
  function(name: string): FunctionDeclaration | undefined;
  /** Whether numbers of different types can be compared: `1 < 1.0`. */
  readonly crossTypeNumericComparisons: boolean;
  /** Whether a field can be selected by any of its escaped names. */
  readonly escapedFields: boolean;
}

/** A resolved call: the function, and the overloads that the argument types allow. */
export interface CallReference {
  readonly function: FunctionDeclaration;
  readonly overloads: readonly Overload[];
  /** The target is a part of the qualified function name: `optional.of(x)`. */
  readonly isNamespaced: boolean;
}

export interface CheckedExpr {
  readonly expr: Expr;
  readonly type: CelType;
  /** By node id. */
  readonly types: ReadonlyMap<number, CelType>;
  readonly calls: ReadonlyMap<number, CallReference>;
  /** Resolved qualified names of variables and types, by node id. */
  readonly names: ReadonlyMap<number, string>;
}

export type CheckResult = CheckedExpr | { readonly issues: readonly Issue[] };

export function check(expr: Expr, scope: CheckerScope): CheckResult {
  const checker = new Checker(scope);
  checker.check(expr);
  if (checker.issues.length > 0) return { issues: checker.issues };
  return checker.result(expr);
}

/**
 * The qualified names to which a name may resolve in a container, the innermost first: `a.b.x`, `a.x`, `x` for `x` in
 * container `a.b`.
 */
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
  readonly #scope: CheckerScope;
  readonly #bindings = new TypeBindings();
  readonly #types = new Map<number, CelType>();
  readonly #calls = new Map<number, CallReference>();
  readonly #names = new Map<number, string>();
  /** Comprehension variables, the innermost last. */
  readonly #locals: (readonly [name: string, type: CelType])[] = [];

  constructor(scope: CheckerScope) {
    this.#scope = scope;
  }

  /** Call it after `check` without issues. Types that remain unknown become dyn. */
  result(expr: Expr): CheckedExpr {
    for (const [id, type] of this.#types) this.#types.set(id, this.#bindings.resolveOrDyn(type));
    return {
      expr,
      type: this.#types.get(expr.id)!,
      types: this.#types,
      calls: this.#calls,
      names: this.#names,
    };
  }

  check(expr: Expr): CelType {
    const type = this.#checkNode(expr);
    this.#types.set(expr.id, type);
    return type;
  }

  #report(node: { readonly offset: number }, message: string): void {
    this.issues.push({ message, offset: node.offset });
  }

  #checkNode(expr: Expr): CelType {
    switch (expr.node) {
      case 'literal':
        return literalTypes[expr.literal.kind];
      case 'ident':
        return this.#checkIdent(expr);
      case 'select':
        return this.#checkSelect(expr);
      case 'call':
        return expr.name === '_?._' ? this.#checkOptionalSelect(expr) : this.#checkCall(expr);
      case 'list':
        return this.#checkList(expr);
      case 'map':
        return this.#checkMap(expr);
      case 'struct':
        return this.#checkStruct(expr);
      case 'comprehension':
        return this.#checkComprehension(expr);
    }
  }

  /** The type of a variable or type identifier; records the qualified name to which the node resolves. */
  #resolveName(id: number, name: string): CelType | undefined {
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

  #reportUndeclared(expr: Expr, name: string): CelType {
    this.#report(expr, `undeclared reference to '${name}' (in container '${this.#scope.container}')`);
    return errorType;
  }

  #checkIdent(expr: Ident): CelType {
    return this.#resolveName(expr.id, expr.name) ?? this.#reportUndeclared(expr, expr.name);
  }

  #checkSelect(expr: Select): CelType {
    const name = expr.testOnly ? undefined : qualifiedName(expr);
    const variable = name === undefined ? undefined : this.#resolveName(expr.id, name);
    if (variable) return variable;
    const type = this.#checkField(expr, expr.operand, expr.field);
    return expr.testOnly ? bool : this.#bindings.resolve(type);
  }

  /** `a.?b`, which the parser turns into a call of `_?._`. */
  #checkOptionalSelect(expr: Call): CelType {
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
    return this.#bindings.resolve(
      this.#checkField(expr, operand!, field.literal.value, { isOptional: true }),
    );
  }

  #checkField(expr: Expr, operand: Expr, field: string, { isOptional = false } = {}): CelType {
    const operandType = this.#bindings.resolve(this.check(operand));
    const target = operandType.isOptional ? operandType.params[0]! : operandType;
    const type = this.#fieldType(expr, target, field);
    return operandType.isOptional || isOptional ? optionalOf(type) : type;
  }

  #fieldType(expr: Expr, target: CelType, field: string): CelType {
    switch (target.kind) {
      case 'map':
        return target.params[1]!;
      case 'struct': {
        const structField = target.fields?.get(field) ?? this.#escapedField(target, field);
        if (structField) return structField.type;
        this.#report(
          expr,
          target.fields ? `undefined field '${field}'` : `unexpected failed resolution of '${target.name}'`,
        );
        return errorType;
      }
      case 'param':
        // Binds the type parameter to dyn.
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
    for (const unescaped of unescapeName(name)) {
      const structField = fields.get(escapeName(unescaped) ?? '');
      if (structField) return structField;
    }
    return undefined;
  }

  #findFunction(name: string): FunctionDeclaration | undefined {
    for (const candidate of candidateNames(this.#scope.container, name)) {
      const declaration = this.#scope.function(candidate);
      if (declaration) return declaration;
    }
    return undefined;
  }

  #checkCall(expr: Call): CelType {
    const argTypes = expr.args.map((arg) => this.check(arg));
    if (!expr.target) {
      const declaration = this.#findFunction(expr.name);
      return declaration
        ? this.#resolveOverload(expr, declaration, argTypes)
        : this.#reportUndeclared(expr, expr.name);
    }
    // `optional.of(x)`: the target may be a part of the function's qualified name.
    const prefix = qualifiedName(expr.target);
    const namespaced = prefix === undefined ? undefined : this.#findFunction(`${prefix}.${expr.name}`);
    if (namespaced) return this.#resolveOverload(expr, namespaced, argTypes, { isNamespaced: true });
    const targetType = this.check(expr.target);
    const declaration = this.#findFunction(expr.name);
    if (!declaration) return this.#reportUndeclared(expr, expr.name);
    return this.#resolveOverload(expr, declaration, [targetType, ...argTypes]);
  }

  #resolveOverload(
    expr: Call,
    declaration: FunctionDeclaration,
    argTypes: CelType[],
    { isNamespaced = false } = {},
  ): CelType {
    const isMember = expr.target !== undefined && !isNamespaced;
    if (declaration.name === '_&&_' || declaration.name === '_||_')
      return this.#checkLogicalOperator(expr, declaration, argTypes);
    const matching: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of declaration.overloads) {
      if (overload.isMember !== isMember || !this.#isEnabled(overload)) continue;
      const [args, resultType] = this.#instantiate(overload);
      if (!this.#bindings.areAssignable(argTypes, args)) continue;
      matching.push(overload);
      const type = this.#bindings.resolve(resultType);
      if (result === undefined) result = type;
      // Which of the matching overloads runs is known at runtime only.
      else if (result.kind !== 'dyn' && !result.isExactly(type)) result = dyn;
    }
    if (result === undefined) {
      const types = argTypes.map((type) => this.#bindings.resolveOrDyn(type));
      this.#report(
        expr,
        `found no matching overload for '${declaration.name}' applied to '${formatArguments(types, isMember)}'`,
      );
      return errorType;
    }
    this.#calls.set(expr.id, { function: declaration, overloads: matching, isNamespaced });
    return result;
  }

  #isEnabled({ id }: Overload): boolean {
    return this.#scope.crossTypeNumericComparisons || !crossTypeComparison.test(id);
  }

  #checkLogicalOperator(expr: Call, declaration: FunctionDeclaration, argTypes: readonly CelType[]): CelType {
    let isValid = true;
    argTypes.forEach((type, i) => {
      if (this.#bindings.isAssignable(type, bool)) return;
      this.#reportMismatch(expr.args[i]!, bool, type);
      isValid = false;
    });
    if (!isValid) return errorType;
    this.#calls.set(expr.id, {
      function: declaration,
      overloads: declaration.overloads,
      isNamespaced: false,
    });
    return bool;
  }

  /** The types of the overload, with fresh type parameters for this call. */
  #instantiate(overload: Overload): [args: readonly CelType[], result: CelType] {
    if (!overload.hasTypeParams) return [overload.args, overload.result];
    const freshParams = new Map<string, CelType>();
    const instantiate = (type: CelType): CelType => {
      if (type.kind === 'param') {
        let param = freshParams.get(type.name);
        if (!param) {
          param = this.#bindings.newParam();
          freshParams.set(type.name, param);
        }
        return param;
      }
      if (type.params.length === 0) return type;
      const params = type.params.map(instantiate);
      if (type.kind === 'list') return listOf(params[0]!);
      if (type.kind === 'map') return mapOf(params[0]!, params[1]!);
      return type.kind === 'type' ? typeOf(params[0]!) : optionalOf(params[0]!);
    };
    return [overload.args.map(instantiate), instantiate(overload.result)];
  }

  #reportMismatch(node: { readonly offset: number }, expected: CelType, actual: CelType): void {
    this.#report(
      node,
      `expected type '${formatType(this.#bindings.resolve(expected))}' but found '${formatType(this.#bindings.resolve(actual))}'`,
    );
  }

  /** The element type of an optional list element (`?`). */
  #unwrapOptional(expr: Expr, type: CelType): CelType {
    if (type.isOptional) return type.params[0]!;
    if (type.kind !== 'dyn') this.#reportMismatch(expr, optionalOf(type), type);
    return type;
  }

  #checkList(expr: ListExpr): CelType {
    let joined: CelType | undefined;
    expr.elements.forEach((element, i) => {
      const type = this.check(element);
      joined = this.#join(joined, expr.optional.has(i) ? this.#unwrapOptional(element, type) : type);
    });
    return listOf(joined ?? this.#bindings.newParam());
  }

  #checkMap(expr: MapExpr): CelType {
    let key: CelType | undefined;
    let value: CelType | undefined;
    for (const entry of expr.entries) {
      key = this.#join(key, this.check(entry.key));
      const type = this.check(entry.value);
      value = this.#join(value, entry.optional ? this.#unwrapOptional(entry.value, type) : type);
    }
    return mapOf(key ?? this.#bindings.newParam(), value ?? this.#bindings.newParam());
  }

  /** The common type of the elements so far and one more; dyn if they have none. */
  #join(joined: CelType | undefined, type: CelType): CelType {
    if (joined === undefined) return type;
    // null joins with a nullable type to that type.
    if (type.kind === 'null' && this.#bindings.isAssignable(joined, type)) return joined;
    if (this.#bindings.isAssignable(joined, type)) return mostGeneral(joined, type);
    return dyn;
  }

  #checkStruct(expr: StructExpr): CelType {
    const declared = this.#resolveName(expr.id, expr.typeName);
    if (!declared) return this.#reportUndeclared(expr, expr.typeName);
    let type = errorType;
    if (declared.kind !== 'type') this.#report(expr, `'${declared.name}' is not a type`);
    else if (declared.params[0]!.kind !== 'struct') {
      this.#report(expr, `'${declared.params[0]!.name}' is not a message type`);
    } else type = declared.params[0]!;
    for (const entry of expr.fields) this.#checkFieldEntry(type, entry);
    return type;
  }

  #checkFieldEntry(type: CelType, entry: StructExpr['fields'][number]): void {
    const valueType = this.check(entry.value);
    const value = entry.optional ? this.#unwrapOptional(entry.value, valueType) : valueType;
    if (type.kind === 'error') return;
    const structField = type.fields?.get(entry.field);
    if (!structField) this.#report(entry, `undefined field '${entry.field}'`);
    else if (!this.#bindings.isAssignable(structField.type, value)) {
      this.#report(
        entry,
        `expected type of field '${entry.field}' is '${formatType(structField.type)}' but provided type is '${formatType(value)}'`,
      );
    }
  }

  #checkComprehension(expr: Comprehension): CelType {
    const range = this.#bindings.resolve(this.check(expr.range));
    const accumulator = this.check(expr.init);
    const [first, second] = this.#elementTypes(expr, range);
    this.#locals.push([expr.accumulator, accumulator], [expr.variable, first]);
    if (expr.variable2 !== undefined) this.#locals.push([expr.variable2, second]);
    this.#requireType(expr.condition, this.check(expr.condition), bool);
    this.#requireType(expr.step, this.check(expr.step), accumulator);
    // The iteration variables end here; the result may use the accumulator only.
    this.#locals.length -= expr.variable2 === undefined ? 1 : 2;
    const result = this.check(expr.result);
    this.#locals.length--;
    return this.#bindings.resolve(result);
  }

  #requireType(expr: Expr, type: CelType, expected: CelType): void {
    if (!this.#bindings.isAssignable(expected, type)) this.#reportMismatch(expr, expected, type);
  }

  #elementTypes(expr: Comprehension, range: CelType): [first: CelType, second: CelType] {
    const hasTwoVariables = expr.variable2 !== undefined;
    switch (range.kind) {
      case 'list':
        return hasTwoVariables ? [int, range.params[0]!] : [range.params[0]!, dyn];
      case 'map':
        return [range.params[0]!, range.params[1]!];
      case 'dyn':
      case 'error':
      case 'param':
        // Binds a type parameter to dyn.
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
