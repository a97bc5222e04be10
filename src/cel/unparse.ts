// CEL unparser: formats an AST as an expression.
import { binaryOperators, type Expr, type LiteralValue } from './ast.ts';

const symbolByFunction = new Map([...binaryOperators].map(([symbol, name]) => [name, symbol]));
symbolByFunction.set('_&&_', '&&');
symbolByFunction.set('_||_', '||');

/**
 * Text that parses to the same AST. Of macros only `has` and `cel.bind` are restored; other comprehensions have no
 * syntax.
 */
export function unparse(expr: Expr): string {
  switch (expr.node) {
    case 'literal':
      return unparseLiteral(expr.literal);
    case 'ident':
      return expr.name;
    case 'select': {
      const selected = `${unparseOperand(expr.operand)}.${expr.field}`;
      return expr.testOnly ? `has(${selected})` : selected;
    }
    case 'call':
      return unparseCall(expr);
    case 'list':
      return `[${expr.elements.map((element, i) => (expr.optional.has(i) ? '?' : '') + unparse(element)).join(', ')}]`;
    case 'map':
      return `{${expr.entries.map(({ key, value, optional }) => `${optional ? '?' : ''}${unparse(key)}: ${unparse(value)}`).join(', ')}}`;
    case 'struct':
      return `${expr.typeName}{${expr.fields.map(({ field, value, optional }) => `${optional ? '?' : ''}${field}: ${unparse(value)}`).join(', ')}}`;
    case 'comprehension':
      throw new Error('a macro has no text');
  }
}

function unparseCall(expr: Expr & { readonly node: 'call' }): string {
  const { name, target, args } = expr;
  const symbol = symbolByFunction.get(name);
  if (symbol) return `${unparseOperand(args[0]!)} ${symbol} ${unparseOperand(args[1]!)}`;
  switch (name) {
    case '!_':
      return `!${unparseOperand(args[0]!)}`;
    case '-_':
      return `-${unparseOperand(args[0]!)}`;
    case '_?_:_':
      return `${unparseOperand(args[0]!)} ? ${unparseOperand(args[1]!)} : ${unparseOperand(args[2]!)}`;
    case '_[_]':
      return `${unparseOperand(args[0]!)}[${unparse(args[1]!)}]`;
    case '_[?_]':
      return `${unparseOperand(args[0]!)}[?${unparse(args[1]!)}]`;
    case '_?._':
      return `${unparseOperand(args[0]!)}.?${(args[1] as { literal: { value: string } }).literal.value}`;
  }
  const list = args.map(unparse).join(', ');
  return target ? `${unparseOperand(target)}.${name}(${list})` : `${name}(${list})`;
}

/** Adds parentheses where precedence could change the meaning. */
function unparseOperand(expr: Expr): string {
  const text = unparse(expr);
  const isOperator =
    expr.node === 'call' && (symbolByFunction.has(expr.name) || ['!_', '-_', '_?_:_'].includes(expr.name));
  const isNumber = expr.node === 'literal' && typeof expr.literal.value !== 'string';
  return isOperator || isNumber ? `(${text})` : text;
}

function unparseLiteral({ kind, value }: LiteralValue): string {
  switch (kind) {
    case 'string':
      return quote(value);
    case 'bytes':
      return `b"${Array.from(value, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}"`;
    case 'uint':
      return `${value}u`;
    case 'double':
      return Number.isInteger(value) && Math.abs(value) < 1e21 ? value.toFixed(1) : String(value);
    default:
      return String(value);
  }
}

function quote(text: string): string {
  return `"${text.replace(/[\u0000-\u001f"\\\u007f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
}
