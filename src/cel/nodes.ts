// CEL parser: creates AST nodes within the limits of expression size.
import type { Call, Comprehension, Expr, Ident, ListExpr, LiteralValue, MapEntry, MapExpr } from './ast.ts';
import { accumulatorName } from './ast.ts';

/** Thrown when an expression grows beyond all bounds while it is parsed. */
export class TooLarge {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Macros that repeat what they are given could make a small text a huge expression. */
const mostNodes = 50_000;

const none: ReadonlySet<number> = new Set();

/** Makes nodes with numbers of their own. `at` is where those stand that are made from now on. */
export class Nodes {
  at = 0;
  #last = 0;

  nextId(): number {
    if (this.#last >= mostNodes) throw new TooLarge(`expression has more than ${mostNodes} nodes`);
    return ++this.#last;
  }

  literal(literal: LiteralValue, offset = this.at): Expr {
    return { node: 'literal', id: this.nextId(), offset, literal };
  }

  bool(value: boolean): Expr {
    return this.literal({ kind: 'bool', value });
  }

  int(value: bigint): Expr {
    return this.literal({ kind: 'int', value });
  }

  ident(name: string, offset = this.at): Ident {
    return { node: 'ident', id: this.nextId(), offset, name };
  }

  accumulator(): Ident {
    return this.ident(accumulatorName);
  }

  call(name: string, args: readonly Expr[], offset = this.at): Call {
    return { node: 'call', id: this.nextId(), offset, name, args };
  }

  memberCall(name: string, target: Expr, args: readonly Expr[], offset = this.at): Call {
    return { node: 'call', id: this.nextId(), offset, name, target, args };
  }

  select(operand: Expr, field: string, testOnly: boolean, offset = this.at): Expr {
    return { node: 'select', id: this.nextId(), offset, operand, field, testOnly };
  }

  list(elements: readonly Expr[], optional = none, offset = this.at): ListExpr {
    return { node: 'list', id: this.nextId(), offset, elements, optional };
  }

  map(entries: readonly MapEntry[], offset = this.at): MapExpr {
    return { node: 'map', id: this.nextId(), offset, entries };
  }

  comprehension(parts: Omit<Comprehension, 'id' | 'node' | 'offset'>): Comprehension {
    return { node: 'comprehension', id: this.nextId(), offset: this.at, ...parts };
  }

  /** `name` bound to a value while `result` is evaluated. */
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

  /** The same expression with numbers of its own. */
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
