// CEL unparser: AST to text.
import { binaryOperators, type Expr, type LiteralValue } from './ast.ts';

const symbolOf = new Map([...binaryOperators].map(([symbol, name]) => [name, symbol]));
symbolOf.set('_&&_', '&&');
symbolOf.set('_||_', '||');

/** An expression as text that parses to the same tree. Macros other than `has` and `cel.bind` are gone by then and are not written back. */
export function unparse(expr: Expr): string {
  switch (expr.node) {
    case 'literal':
      return unparseLiteral(expr.literal);
    case 'ident':
      return expr.name;
    case 'select': {
      const selected = `${operand(expr.operand)}.${expr.field}`;
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
  const symbol = symbolOf.get(name);
  if (symbol) return `${operand(args[0]!)} ${symbol} ${operand(args[1]!)}`;
  switch (name) {
    case '!_':
      return `!${operand(args[0]!)}`;
    case '-_':
      return `-${operand(args[0]!)}`;
    case '_?_:_':
      return `${operand(args[0]!)} ? ${operand(args[1]!)} : ${operand(args[2]!)}`;
    case '_[_]':
      return `${operand(args[0]!)}[${unparse(args[1]!)}]`;
    case '_[?_]':
      return `${operand(args[0]!)}[?${unparse(args[1]!)}]`;
    case '_?._':
      return `${operand(args[0]!)}.?${(args[1] as { literal: { value: string } }).literal.value}`;
  }
  const list = args.map(unparse).join(', ');
  return target ? `${operand(target)}.${name}(${list})` : `${name}(${list})`;
}

/** In parentheses wherever it could be read otherwise. */
function operand(expr: Expr): string {
  const text = unparse(expr);
  const isOperator =
    expr.node === 'call' && (symbolOf.has(expr.name) || ['!_', '-_', '_?_:_'].includes(expr.name));
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
