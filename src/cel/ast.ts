// CEL abstract syntax tree.

/**
 * What an expression is made of once it is parsed. Macros are gone: `has` is a Select that only tests, the others are
 * Comprehensions. Every node has a number of its own, by which the checker keeps its type, and the place where it
 * stands in the text; what a macro made stands where the macro does.
 */
export type Expr = Literal | Ident | Select | Call | ListExpr | MapExpr | StructExpr | Comprehension;

interface Node {
  readonly id: number;
  readonly offset: number;
}

export type LiteralValue =
  | { readonly kind: 'null'; readonly value: null }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'uint'; readonly value: bigint }
  | { readonly kind: 'double'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'bytes'; readonly value: Uint8Array };

interface Literal extends Node {
  readonly node: 'literal';
  readonly literal: LiteralValue;
}

/** A name. With a dot before it, it is looked up from the top and no local variable hides it. */
export interface Ident extends Node {
  readonly node: 'ident';
  readonly name: string;
}

export interface Select extends Node {
  readonly node: 'select';
  readonly operand: Expr;
  readonly field: string;
  /** `has(operand.field)`. */
  readonly testOnly: boolean;
}

export interface Call extends Node {
  readonly node: 'call';
  readonly name: string;
  readonly target?: Expr;
  readonly args: readonly Expr[];
}

export interface ListExpr extends Node {
  readonly node: 'list';
  readonly elements: readonly Expr[];
  /** The places of the elements with a `?`. */
  readonly optional: ReadonlySet<number>;
}

export interface MapEntry extends Node {
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface MapExpr extends Node {
  readonly node: 'map';
  readonly entries: readonly MapEntry[];
}

export interface FieldEntry extends Node {
  readonly field: string;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface StructExpr extends Node {
  readonly node: 'struct';
  readonly typeName: string;
  readonly fields: readonly FieldEntry[];
}

/** A fold over a list or map: `accumulator` starts as `init`, becomes `step` while `condition` holds, and ends in `result`. */
export interface Comprehension extends Node {
  readonly node: 'comprehension';
  readonly range: Expr;
  readonly variable: string;
  /** With two variables, the first is the index or key and this one the value. */
  readonly variable2?: string;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** The accumulator of all macros that come with the language. */
export const accumulatorName = '__result__';

/** Names the operators are called by; `_[?_]` and `_?._` are those of optional values. */
export const binaryOperators: ReadonlyMap<string, string> = new Map([
  ['<', '_<_'],
  ['<=', '_<=_'],
  ['>', '_>_'],
  ['>=', '_>=_'],
  ['==', '_==_'],
  ['!=', '_!=_'],
  ['in', '@in'],
  ['+', '_+_'],
  ['-', '_-_'],
  ['*', '_*_'],
  ['/', '_/_'],
  ['%', '_%_'],
]);

/** `a.b.c`, if that is all the expression is. */
export function qualifiedName(expr: Expr): string | undefined {
  const fields: string[] = [];
  let current = expr;
  while (current.node === 'select' && !current.testOnly) {
    fields.push(current.field);
    current = current.operand;
  }
  if (current.node !== 'ident') return undefined;
  return [current.name, ...fields.reverse()].join('.');
}
