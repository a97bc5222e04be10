// CEL macros: expanded to comprehensions while parsing.
import { accumulatorName, type Expr } from './ast.ts';
import type { Nodes } from './nodes.ts';

/** A macro error with its position. */
export class MacroProblem {
  readonly message: string;
  readonly offset: number;

  constructor(message: string, at: Expr) {
    this.message = message;
    this.offset = at.offset;
  }
}

/**
 * A call that is rewritten while it is parsed. `expand` returns nothing where the call is not meant after all, as in
 * `other.bind(x, 1, x)` for `cel.bind`.
 */
export interface Macro {
  readonly name: string;
  /** Left out: any number. */
  readonly argCount?: number;
  /** Called on something: `list.all(x, …)`. */
  readonly isMember: boolean;
  expand(nodes: Nodes, target: Expr, args: readonly Expr[]): Expr | MacroProblem | undefined;
}

function memberMacro(name: string, argCount: number, expand: Macro['expand']): Macro {
  return { name, argCount, isMember: true, expand };
}

/** The name of a variable that a macro binds; `problem` is the error where it is no identifier. */
function variableName(expr: Expr, problem: string): string | MacroProblem {
  if (expr.node !== 'ident') return new MacroProblem(problem, expr);
  if (expr.name === accumulatorName)
    return new MacroProblem('iteration variable overwrites accumulator variable', expr);
  return expr.name;
}

const has: Macro = {
  name: 'has',
  argCount: 1,
  isMember: false,
  expand(nodes, _, [arg]) {
    if (arg?.node !== 'select' || arg.testOnly)
      return new MacroProblem('invalid argument to has() macro', arg!);
    return nodes.select(arg.operand, arg.field, true);
  },
};

interface Fold {
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

function all(nodes: Nodes, predicate: Expr): Fold {
  return {
    init: nodes.bool(true),
    condition: nodes.call('@not_strictly_false', [nodes.accumulator()]),
    step: nodes.call('_&&_', [nodes.accumulator(), predicate]),
    result: nodes.accumulator(),
  };
}

function exists(nodes: Nodes, predicate: Expr): Fold {
  return {
    init: nodes.bool(false),
    condition: nodes.call('@not_strictly_false', [nodes.call('!_', [nodes.accumulator()])]),
    step: nodes.call('_||_', [nodes.accumulator(), predicate]),
    result: nodes.accumulator(),
  };
}

function existsOne(nodes: Nodes, predicate: Expr): Fold {
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

/** Adds to the accumulator what `addition` makes, for elements that the filter lets through. */
function gather(nodes: Nodes, init: Expr, filter: Expr | undefined, addition: () => Expr): Fold {
  const condition = nodes.bool(true);
  const added = addition();
  return {
    init,
    condition,
    step: filter ? nodes.call('_?_:_', [filter, added, nodes.accumulator()]) : added,
    result: nodes.accumulator(),
  };
}

function appended(nodes: Nodes, element: Expr): Expr {
  return nodes.call('_+_', [nodes.accumulator(), nodes.list([element])]);
}

function quantifier(name: string, fold: (nodes: Nodes, predicate: Expr) => Fold): Macro {
  return memberMacro(name, 2, (nodes, target, [variable, predicate]) => {
    const named = variableName(variable!, 'argument must be a simple name');
    if (named instanceof MacroProblem) return named;
    return nodes.comprehension({
      range: target,
      variable: named,
      accumulator: accumulatorName,
      ...fold(nodes, predicate!),
    });
  });
}

/** Macros over one variable that make a list. `element` is what an element becomes, undefined the element itself. */
function listMacro(
  name: string,
  argCount: number,
  shape: (args: readonly Expr[]) => readonly [filter?: Expr | undefined, element?: Expr | undefined],
): Macro {
  return memberMacro(name, argCount, (nodes, target, args) => {
    const named = variableName(args[0]!, 'argument is not an identifier');
    if (named instanceof MacroProblem) return named;
    const [filter, element = args[0]!] = shape(args);
    return nodes.comprehension({
      range: target,
      variable: named,
      accumulator: accumulatorName,
      ...gather(nodes, nodes.list([]), filter, () => appended(nodes, element)),
    });
  });
}

export const standardMacros: readonly Macro[] = [
  has,
  quantifier('all', all),
  quantifier('exists', exists),
  quantifier('exists_one', existsOne),
  listMacro('map', 2, ([, element]) => [undefined, element]),
  listMacro('map', 3, ([, filter, element]) => [filter, element]),
  listMacro('filter', 2, ([, filter]) => [filter]),
];

function twoVariables(
  name: string,
  argCount: number,
  fold: (nodes: Nodes, variable: string, rest: readonly Expr[]) => Fold,
): Macro {
  return memberMacro(name, argCount, (nodes, target, [first, second, ...rest]) => {
    const variable = variableName(first!, 'argument must be a simple name');
    if (variable instanceof MacroProblem) return variable;
    const variable2 = variableName(second!, 'argument must be a simple name');
    if (variable2 instanceof MacroProblem) return variable2;
    if (variable === variable2) return new MacroProblem(`duplicate variable name: ${variable}`, second!);
    return nodes.comprehension({
      range: target,
      variable,
      variable2,
      accumulator: accumulatorName,
      ...fold(nodes, variable, rest),
    });
  });
}

/** The same macro with and without a filter before what each element becomes. */
function transform(
  name: string,
  init: (nodes: Nodes) => Expr,
  addition: (nodes: Nodes, variable: string, element: Expr) => Expr,
): Macro[] {
  return [
    twoVariables(name, 3, (nodes, variable, [element]) =>
      gather(nodes, init(nodes), undefined, () => addition(nodes, variable, element!)),
    ),
    twoVariables(name, 4, (nodes, variable, [filter, element]) =>
      gather(nodes, init(nodes), filter, () => addition(nodes, variable, element!)),
    ),
  ];
}

export const twoVariableMacros: readonly Macro[] = [
  twoVariables('all', 3, (nodes, _, [predicate]) => all(nodes, predicate!)),
  twoVariables('exists', 3, (nodes, _, [predicate]) => exists(nodes, predicate!)),
  twoVariables('existsOne', 3, (nodes, _, [predicate]) => existsOne(nodes, predicate!)),
  ...transform(
    'transformList',
    (nodes) => nodes.list([]),
    (nodes, _, element) => appended(nodes, element),
  ),
  ...transform(
    'transformMap',
    (nodes) => nodes.map([]),
    (nodes, variable, element) =>
      nodes.call('cel.@mapInsert', [nodes.accumulator(), nodes.ident(variable), element]),
  ),
  ...transform(
    'transformMapEntry',
    (nodes) => nodes.map([]),
    (nodes, _, element) => nodes.call('cel.@mapInsert', [nodes.accumulator(), element]),
  ),
];

/** Whether a macro is called on a namespace: `cel` of `cel.bind`. */
export function isNamespace(expr: Expr, name: string): boolean {
  return expr.node === 'ident' && expr.name === name;
}

export const bindMacro: Macro = memberMacro('bind', 3, (nodes, target, [variable, value, result]) => {
  if (!isNamespace(target, 'cel')) return undefined;
  if (variable!.node !== 'ident')
    return new MacroProblem('cel.bind() variable names must be simple identifiers', variable!);
  return nodes.bind(variable!.name, value!, result!);
});

/** `optional.optMap(v, …)` and `optFlatMap`: what becomes of the value, if there is one. */
function optionalMap(name: string, isFlat: boolean): Macro {
  return memberMacro(name, 2, (nodes, target, [variable, mapped]) => {
    if (variable!.node !== 'ident')
      return new MacroProblem(`${name}() variable name must be a simple identifier`, variable!);
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
  optionalMap('optMap', false),
  optionalMap('optFlatMap', true),
];
