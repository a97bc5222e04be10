// CEL parser: creates AST nodes with unique ids and limits their number.
import type { Call, Comprehension, Expr, Ident, ListExpr, LiteralValue, MapEntry, MapExpr } from './ast.ts';
import { accumulatorName } from './ast.ts';

/** Thrown if an expression has too many nodes. */
export class ExpressionTooLarge {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Macros that duplicate their arguments could expand a short text to a huge expression. */
const maxNodes = 50_000;

const noOptionals: ReadonlySet<number> = new Set();

/** `offset` is the source offset of the nodes that are created next. */
export class AstBuilder {
  offset = 0;
  #lastId = 0;

  nextId(): number {
    if (this.#lastId >= maxNodes) throw new ExpressionTooLarge(`expression has more than ${maxNodes} nodes`);
    return ++this.#lastId;
  }

  literal(literal: LiteralValue, offset = this.offset): Expr {
    return { node: 'literal', id: this.nextId(), offset, literal };
  }

  bool(value: boolean): Expr {
    return this.literal({ kind: 'bool', value });
  }

  int(value: bigint): Expr {
    return this.literal({ kind: 'int', value });
  }

  ident(name: string, offset = this.offset): Ident {
    return { node: 'ident', id: this.nextId(), offset, name };
  }

  accumulator(): Ident {
    return this.ident(accumulatorName);
  }

  call(name: string, args: readonly Expr[], offset = this.offset): Call {
    return { node: 'call', id: this.nextId(), offset, name, args };
  }

  memberCall(name: string, target: Expr, args: readonly Expr[], offset = this.offset): Call {
    return { node: 'call', id: this.nextId(), offset, name, target, args };
  }

  /** `operand.field`. */
  select(operand: Expr, field: string, offset = this.offset): Expr {
    return { node: 'select', id: this.nextId(), offset, operand, field, testOnly: false };
  }

  /** `has(operand.field)`. */
  presenceTest(operand: Expr, field: string): Expr {
    return { node: 'select', id: this.nextId(), offset: this.offset, operand, field, testOnly: true };
  }

  list(elements: readonly Expr[], optional = noOptionals, offset = this.offset): ListExpr {
    return { node: 'list', id: this.nextId(), offset, elements, optional };
  }

  map(entries: readonly MapEntry[], offset = this.offset): MapExpr {
    return { node: 'map', id: this.nextId(), offset, entries };
  }

  comprehension(parts: Omit<Comprehension, 'id' | 'node' | 'offset'>): Comprehension {
    return { node: 'comprehension', id: this.nextId(), offset: this.offset, ...parts };
  }

  /** `cel.bind`: a comprehension over an empty list whose accumulator is the variable. */
  bind(name: string, value: Expr, result: Expr): Comprehension {
    return this.comprehension({
      range: this.list([]),
      variable: '#unused',
      accumulator: name,
      init: value,
      condition: this.bool(false),
      step: this.ident(name),
      result,
    });
  }

  /** A copy with new ids. */
  copy(expr: Expr): Expr {
    const id = this.nextId();
    switch (expr.node) {
      case 'literal':
      case 'ident':
        return { ...expr, id };
      case 'select':
        return { ...expr, id, operand: this.copy(expr.operand) };
      case 'call':
        return {
          ...expr,
          id,
          ...(expr.target && { target: this.copy(expr.target) }),
          args: expr.args.map((arg) => this.copy(arg)),
        };
      case 'list':
        return { ...expr, id, elements: expr.elements.map((element) => this.copy(element)) };
      case 'map':
        return {
          ...expr,
          id,
          entries: expr.entries.map((entry) => ({
            ...entry,
            id: this.nextId(),
            key: this.copy(entry.key),
            value: this.copy(entry.value),
          })),
        };
      case 'struct':
        return {
          ...expr,
          id,
          fields: expr.fields.map((entry) => ({
            ...entry,
            id: this.nextId(),
            value: this.copy(entry.value),
          })),
        };
      case 'comprehension':
        return {
          ...expr,
          id,
          range: this.copy(expr.range),
          init: this.copy(expr.init),
          condition: this.copy(expr.condition),
          step: this.copy(expr.step),
          result: this.copy(expr.result),
        };
    }
  }
}
