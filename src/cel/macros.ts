// CEL macros: the parser expands them to comprehensions.
import { accumulatorName, type Expr } from './ast.ts';
import type { AstBuilder } from './ast-builder.ts';

/** An error of macro expansion with its position. */
export class MacroError {
  readonly message: string;
  readonly offset: number;

  constructor(message: string, expr: Expr) {
    this.message = message;
    this.offset = expr.offset;
  }
}

/**
 * A call that the parser expands. `expand` returns undefined if the call is not of this macro, as `other.bind(x, 1, x)`
 * is not `cel.bind`.
 */
export interface Macro {
  readonly name: string;
  /** Absent: any number. */
  readonly argCount?: number;
  /** Whether it is called on a target: `list.all(x, …)`. */
  readonly isMember: boolean;
  expand(nodes: AstBuilder, target: Expr, args: readonly Expr[]): Expr | MacroError | undefined;
}

function memberMacro(name: string, argCount: number, expand: Macro['expand']): Macro {
  return { name, argCount, isMember: true, expand };
}

/** The name of an iteration variable, or an error with this message if the expression is not an identifier. */
function variableName(expr: Expr, message: string): string | MacroError {
  if (expr.node !== 'ident') return new MacroError(message, expr);
  if (expr.name === accumulatorName)
    return new MacroError('iteration variable overwrites accumulator variable', expr);
  return expr.name;
}

const has: Macro = {
  name: 'has',
  argCount: 1,
  isMember: false,
  expand(nodes, _, [arg]) {
    if (arg?.node !== 'select' || arg.testOnly)
      return new MacroError('invalid argument to has() macro', arg!);
    return nodes.presenceTest(arg.operand, arg.field);
  },
};

/** The parts of a comprehension that determine what it computes. */
interface Fold {
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

function allFold(nodes: AstBuilder, predicate: Expr): Fold {
  return {
    init: nodes.bool(true),
    condition: nodes.call('@not_strictly_false', [nodes.accumulator()]),
    step: nodes.call('_&&_', [nodes.accumulator(), predicate]),
    result: nodes.accumulator(),
  };
}

function existsFold(nodes: AstBuilder, predicate: Expr): Fold {
  return {
    init: nodes.bool(false),
    condition: nodes.call('@not_strictly_false', [nodes.call('!_', [nodes.accumulator()])]),
    step: nodes.call('_||_', [nodes.accumulator(), predicate]),
    result: nodes.accumulator(),
  };
}

function existsOneFold(nodes: AstBuilder, predicate: Expr): Fold {
  return {
    init: nodes.int(0n),
    condition: nodes.bool(true),
    step: nodes.call('_?_:_', [
      predicate,
      nodes.call('_+_', [nodes.accumulator(), nodes.int(1n)]),
      nodes.accumulator(),
    ]),
    result: nodes.call('_==_', [nodes.accumulator(), nodes.int(1n)]),
  };
}

/** Adds the result of `addition` to the accumulator for every element that passes the filter. */
function accumulate(nodes: AstBuilder, init: Expr, filter: Expr | undefined, addition: () => Expr): Fold {
  const condition = nodes.bool(true);
  const added = addition();
  return {
    init,
    condition,
    step: filter ? nodes.call('_?_:_', [filter, added, nodes.accumulator()]) : added,
    result: nodes.accumulator(),
  };
}

function append(nodes: AstBuilder, element: Expr): Expr {
  return nodes.call('_+_', [nodes.accumulator(), nodes.list([element])]);
}

function quantifier(name: string, fold: (nodes: AstBuilder, predicate: Expr) => Fold): Macro {
  return memberMacro(name, 2, (nodes, target, [variableExpr, predicate]) => {
    const variable = variableName(variableExpr!, 'argument must be a simple name');
    if (variable instanceof MacroError) return variable;
    return nodes.comprehension({
      range: target,
      variable,
      accumulator: accumulatorName,
      ...fold(nodes, predicate!),
    });
  });
}

/** A macro with one variable that returns a list. Without `element` it returns the elements themselves. */
function listMacro(
  name: string,
  argCount: number,
  selectParts: (args: readonly Expr[]) => { readonly filter?: Expr; readonly element?: Expr },
): Macro {
  return memberMacro(name, argCount, (nodes, target, args) => {
    const variable = variableName(args[0]!, 'argument is not an identifier');
    if (variable instanceof MacroError) return variable;
    const { filter, element = args[0]! } = selectParts(args);
    return nodes.comprehension({
      range: target,
      variable,
      accumulator: accumulatorName,
      ...accumulate(nodes, nodes.list([]), filter, () => append(nodes, element)),
    });
  });
}

export const standardMacros: readonly Macro[] = [
  has,
  quantifier('all', allFold),
  quantifier('exists', existsFold),
  quantifier('exists_one', existsOneFold),
  listMacro('map', 2, ([, element]) => ({ element: element! })),
  listMacro('map', 3, ([, filter, element]) => ({ filter: filter!, element: element! })),
  listMacro('filter', 2, ([, filter]) => ({ filter: filter! })),
];

function twoVariableMacro(
  name: string,
  argCount: number,
  fold: (nodes: AstBuilder, variable: string, rest: readonly Expr[]) => Fold,
): Macro {
  return memberMacro(name, argCount, (nodes, target, [first, second, ...rest]) => {
    const variable = variableName(first!, 'argument must be a simple name');
    if (variable instanceof MacroError) return variable;
    const variable2 = variableName(second!, 'argument must be a simple name');
    if (variable2 instanceof MacroError) return variable2;
    if (variable === variable2) return new MacroError(`duplicate variable name: ${variable}`, second!);
    return nodes.comprehension({
      range: target,
      variable,
      variable2,
      accumulator: accumulatorName,
      ...fold(nodes, variable, rest),
    });
  });
}

/** The variants of a transform macro with and without a filter argument. */
function transformMacros(
  name: string,
  init: (nodes: AstBuilder) => Expr,
  addition: (nodes: AstBuilder, variable: string, element: Expr) => Expr,
): Macro[] {
  return [
    twoVariableMacro(name, 3, (nodes, variable, [element]) =>
      accumulate(nodes, init(nodes), undefined, () => addition(nodes, variable, element!)),
    ),
    twoVariableMacro(name, 4, (nodes, variable, [filter, element]) =>
      accumulate(nodes, init(nodes), filter, () => addition(nodes, variable, element!)),
    ),
  ];
}

export const twoVariableMacros: readonly Macro[] = [
  twoVariableMacro('all', 3, (nodes, _, [predicate]) => allFold(nodes, predicate!)),
  twoVariableMacro('exists', 3, (nodes, _, [predicate]) => existsFold(nodes, predicate!)),
  twoVariableMacro('existsOne', 3, (nodes, _, [predicate]) => existsOneFold(nodes, predicate!)),
  ...transformMacros(
    'transformList',
    (nodes) => nodes.list([]),
    (nodes, _, element) => append(nodes, element),
  ),
  ...transformMacros(
    'transformMap',
    (nodes) => nodes.map([]),
    (nodes, variable, element) =>
      nodes.call('cel.@mapInsert', [nodes.accumulator(), nodes.ident(variable), element]),
  ),
  ...transformMacros(
    'transformMapEntry',
    (nodes) => nodes.map([]),
    (nodes, _, element) => nodes.call('cel.@mapInsert', [nodes.accumulator(), element]),
  ),
];

/** Whether the target of a macro is a namespace, such as `cel` of `cel.bind`. */
export function isNamespace(expr: Expr, name: string): boolean {
  return expr.node === 'ident' && expr.name === name;
}

export const bindMacro: Macro = memberMacro('bind', 3, (nodes, target, [variable, value, result]) => {
  if (!isNamespace(target, 'cel')) return undefined;
  if (variable!.node !== 'ident')
    return new MacroError('cel.bind() variable names must be simple identifiers', variable!);
  return nodes.bind(variable!.name, value!, result!);
});

/**
 * `optional.optMap(v, …)` and `optFlatMap` transform the value of an optional if it is present. `isFlat`: the expression
 * returns an optional itself.
 */
function optionalMap(name: string, { isFlat }: { readonly isFlat: boolean }): Macro {
  return memberMacro(name, 2, (nodes, target, [variable, mapped]) => {
    if (variable!.node !== 'ident')
      return new MacroError(`${name}() variable name must be a simple identifier`, variable!);
    const present = nodes.memberCall('hasValue', target, []);
    const result = nodes.bind(variable!.name, nodes.memberCall('value', nodes.copy(target), []), mapped!);
    return nodes.call('_?_:_', [
      present,
      isFlat ? result : nodes.call('optional.of', [result]),
      nodes.call('optional.none', []),
    ]);
  });
}

export const optionalMacros: readonly Macro[] = [
  optionalMap('optMap', { isFlat: false }),
  optionalMap('optFlatMap', { isFlat: true }),
];
