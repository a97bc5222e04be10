// CEL abstract syntax tree.

/**
 * An expression after macro expansion: `has` is a Select with `testOnly`, other macros are Comprehensions. Every node has
 * a unique id, by which the checker records its type, and its offset in the source. Nodes that a macro creates have the
 * offset of the macro.
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

/** An identifier. With a leading dot it is resolved in the root scope, and no local variable shadows it. */
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
  /** Indexes of the optional elements (`[?x]`). */
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

/**
 * A fold over a list or map: the accumulator starts as `init` and becomes `step` while `condition` is true; `result`
 * is the value.
 */
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

/** The accumulator variable of the standard macros. */
export const accumulatorName = '__result__';

/** The function names of operators. */
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

/** `a.b.c` for an expression that consists of selections on an identifier only. */
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
