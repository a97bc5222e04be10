// CEL parser: parses an expression to an AST, with the error messages of the ANTLR grammar of cel-go.
import { binaryOperators, type Expr, type FieldEntry, type LiteralValue, type MapEntry } from './ast.ts';
import { AstBuilder, ExpressionTooLarge } from './ast-builder.ts';
import { type Token, tokenize } from './lexer.ts';
import { parseDoubleLiteral, parseInt64Literal, parseQuotedLiteral, parseUint64Literal } from './literals.ts';
import { type Macro, MacroError } from './macros.ts';
import type { Issue } from './source.ts';

export interface ParserOptions {
  readonly macros: readonly Macro[];
  /** `a.?b`, `a[?b]`, `[?a]`, `{?k: v}`. */
  readonly optionalSyntax: boolean;
  /** Whether fields can be selected by quoted names: a.`b-c`. */
  readonly escapedIdentifiers: boolean;
}

export type ParsedExpr = { readonly expr: Expr } | { readonly issues: readonly Issue[] };

/** In UTF-16 code units. */
const maxExpressionLength = 100_000;
/** Limit of nested expressions. */
export const maxExpressionDepth = 250;

const reservedWords = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(
    ' ',
  ),
);

/** Lists the tokens that may start an expression as ANTLR's messages do. */
const describeStartTokens = (symbols: readonly string[]) =>
  `{${symbols.map((symbol) => `'${symbol}'`).join(', ')}, 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}`;
const expressionStartTokens = describeStartTokens(['[', '{', '(', '.', '-', '!']);
const expressionStartSymbols = new Set(['[', '{', '(', '.', '-', '!', 'true', 'false', 'null']);

/** Ends parsing at the first syntax error; later ones would be guesses. */
class SyntaxErrorAbort {
  readonly issue: Issue;

  constructor(message: string, offset: number) {
    this.issue = { message: `Syntax error: ${message}`, offset };
  }
}

export function parse(source: string, options: ParserOptions): ParsedExpr {
  if (source.length > maxExpressionLength) {
    const message = `expression code point size exceeds limit: size: ${source.length}, limit ${maxExpressionLength}`;
    return { issues: [{ message, offset: -1 }] };
  }
  return new Parser(source, options).parse();
}

class Parser {
  readonly #issues: Issue[] = [];
  readonly #tokens: readonly Token[];
  readonly #nodes = new AstBuilder();
  readonly #options: ParserOptions;
  readonly #macros = new Map<string, Macro>();
  #position = 0;
  #depth = 0;

  constructor(source: string, options: ParserOptions) {
    this.#options = options;
    this.#tokens = tokenize(source, this.#issues);
    for (const macro of options.macros) {
      this.#macros.set(macroKey(macro.name, macro.argCount, macro.isMember), macro);
    }
  }

  parse(): ParsedExpr {
    try {
      const expr = this.#parseExpression();
      const next = this.#token;
      if (next.kind !== 'end') {
        const isLast = this.#tokens[this.#position + 1]!.kind === 'end';
        const verb = isLast ? 'extraneous' : 'mismatched';
        throw new SyntaxErrorAbort(`${verb} input '${next.text}' expecting <EOF>`, next.offset);
      }
      return this.#issues.length > 0 ? { issues: this.#issues } : { expr };
    } catch (problem) {
      if (problem instanceof SyntaxErrorAbort) this.#issues.push(problem.issue);
      else if (problem instanceof ExpressionTooLarge)
        this.#issues.push({ message: problem.message, offset: -1 });
      else throw problem;
      return { issues: this.#issues };
    }
  }

  get #token(): Token {
    return this.#tokens[this.#position]!;
  }

  /** Whether the next token is this symbol. */
  #isSymbol(text: string): boolean {
    const token = this.#token;
    return token.kind === 'symbol' && token.text === text;
  }

  #take(): Token {
    const token = this.#token;
    if (token.kind !== 'end') this.#position++;
    return token;
  }

  /** Consumes the next token if it is this symbol. */
  #accept(text: string): Token | undefined {
    return this.#isSymbol(text) ? this.#take() : undefined;
  }

  /**
   * Consumes this symbol, or throws a syntax error. `alternatives`: the expected tokens in the message, if there are
   * more.
   */
  #expect(text: string, alternatives?: string): Token {
    if (this.#isSymbol(text)) return this.#take();
    const quoted = `'${text}'`;
    const expecting = alternatives ?? quoted;
    const { kind, text: tokenText, offset } = this.#token;
    // ANTLR reports these closing brackets as missing, and all other tokens as mismatched.
    const isMissing = text === ')' || (text === ']' && kind === 'end' && expecting === quoted);
    throw new SyntaxErrorAbort(
      isMissing
        ? `missing ${quoted} at '${tokenText}'`
        : `mismatched input '${tokenText}' expecting ${expecting}`,
      offset,
    );
  }

  /** Throws if the expression ends where one of the expected tokens must follow. */
  #assertNotAtEnd(expecting: string): void {
    const { kind, text, offset } = this.#token;
    if (kind === 'end')
      throw new SyntaxErrorAbort(`mismatched input '${text}' expecting ${expecting}`, offset);
  }

  #withDepthLimit<T>(parse: () => T): T {
    if (++this.#depth > maxExpressionDepth)
      throw new ExpressionTooLarge(`expression recursion limit exceeded: ${maxExpressionDepth}`);
    const result = parse();
    this.#depth--;
    return result;
  }

  /** The tree of a chain such as `a + b + c` is as deep as the chain is long. */
  #assertChainLength(length: number): void {
    if (this.#depth + length > maxExpressionDepth)
      throw new ExpressionTooLarge(`expression recursion limit exceeded: ${maxExpressionDepth}`);
  }

  #parseExpression(): Expr {
    return this.#withDepthLimit(() => {
      const condition = this.#parseLogical('||', '_||_', () =>
        this.#parseLogical('&&', '_&&_', () => this.#parseRelation()),
      );
      const question = this.#accept('?');
      if (!question) return condition;
      const whenTrue = this.#parseLogical('||', '_||_', () =>
        this.#parseLogical('&&', '_&&_', () => this.#parseRelation()),
      );
      this.#expect(':');
      const whenFalse = this.#parseExpression();
      return this.#nodes.call('_?_:_', [condition, whenTrue, whenFalse], question.offset);
    });
  }

  /** Chains of `&&` and `||` become a balanced tree, so that they can be longer than the depth limit. */
  #parseLogical(symbol: string, name: string, operand: () => Expr): Expr {
    const terms = [operand()];
    const offsets: number[] = [];
    for (let token = this.#accept(symbol); token; token = this.#accept(symbol)) {
      offsets.push(token.offset);
      terms.push(operand());
    }
    const balanced = (low: number, high: number): Expr => {
      const middle = Math.floor((low + high + 1) / 2);
      const left = middle === low ? terms[middle]! : balanced(low, middle - 1);
      const right = middle === high ? terms[middle + 1]! : balanced(middle + 1, high);
      return this.#nodes.call(name, [left, right], offsets[middle]!);
    };
    return offsets.length === 0 ? terms[0]! : balanced(0, offsets.length - 1);
  }

  #parseRelation(): Expr {
    return this.#parseBinary(/^(?:<=?|>=?|[=!]=|in)$/, () => this.#parseSum());
  }

  #parseSum(): Expr {
    return this.#parseBinary(/^[+-]$/, () => this.#parseBinary(/^[*/%]$/, () => this.#parseUnary()));
  }

  #parseBinary(operators: RegExp, operand: () => Expr): Expr {
    let left = operand();
    for (let length = 1; this.#token.kind === 'symbol' && operators.test(this.#token.text); length++) {
      this.#assertChainLength(length);
      const { text, offset } = this.#take();
      left = this.#nodes.call(binaryOperators.get(text)!, [left, operand()], offset);
    }
    return left;
  }

  #parseUnary(): Expr {
    const first = this.#token;
    for (const [symbol, name] of [
      ['!', '!_'],
      ['-', '-_'],
    ] as const) {
      if (!this.#isSymbol(symbol)) continue;
      let count = 0;
      while (this.#accept(symbol)) count++;
      const isNumber = this.#token.kind === 'int' || this.#token.kind === 'float';
      if (symbol === '-' && count === 1 && isNumber) {
        const number = this.#numberLiteral(this.#take(), { isNegative: true, offset: first.offset });
        return this.#parseMemberChain(number);
      }
      if (symbol === '-' && this.#token.kind === 'end')
        throw new SyntaxErrorAbort(`no viable alternative at input '-'`, this.#token.offset);
      const operand = this.#parseMember();
      return count % 2 === 0 ? operand : this.#nodes.call(name, [operand], first.offset);
    }
    return this.#parseMember();
  }

  #parseMember(): Expr {
    return this.#parseMemberChain(this.#parsePrimary());
  }

  #parseMemberChain(start: Expr): Expr {
    let operand = start;
    for (let length = 1; ; length++) {
      const dot = this.#accept('.');
      const bracket = dot ? undefined : this.#accept('[');
      if (!dot && !bracket) return operand;
      this.#assertChainLength(length);
      operand = dot ? this.#parseField(operand, dot.offset) : this.#parseIndex(operand, bracket!.offset);
    }
  }

  #parseField(operand: Expr, dotOffset: number): Expr {
    const isOptional = this.#acceptOptional('.?', dotOffset);
    const token = this.#token;
    if (token.kind !== 'identifier' && token.kind !== 'escaped identifier') {
      throw new SyntaxErrorAbort(
        token.kind === 'end'
          ? `no viable alternative at input '.'`
          : `no viable alternative at input '.${token.text}'`,
        token.offset,
      );
    }
    this.#take();
    const name = this.#fieldName(token);
    const open = isOptional || token.kind !== 'identifier' ? undefined : this.#accept('(');
    if (open) return this.#createMemberCall(name, operand, this.#parseArguments(), open.offset);
    if (!isOptional) return this.#nodes.select(operand, name, dotOffset);
    const field = this.#nodes.literal({ kind: 'string', value: name }, token.offset);
    return this.#nodes.call('_?._', [operand, field], dotOffset);
  }

  #fieldName(token: Token): string {
    if (token.kind === 'identifier') return token.text;
    if (!this.#options.escapedIdentifiers)
      this.#issues.push({ message: "unsupported syntax: '`'", offset: token.offset });
    return token.text.slice(1, -1);
  }

  #parseIndex(operand: Expr, offset: number): Expr {
    const isOptional = this.#acceptOptional('[?', offset);
    if (!isOptional) this.#assertNotAtEnd(describeStartTokens(['[', '{', '(', '.', '-', '!', '?']));
    const index = this.#parseExpression();
    this.#expect(']');
    return this.#nodes.call(isOptional ? '_[?_]' : '_[_]', [operand, index], offset);
  }

  /** Accepts `?` before an optional element. */
  #acceptOptional(syntax: string, offset: number): boolean {
    const question = this.#accept('?');
    if (question && !this.#options.optionalSyntax)
      this.#issues.push({ message: `unsupported syntax '${syntax}'`, offset });
    return question !== undefined;
  }

  #parsePrimary(): Expr {
    const token = this.#token;
    switch (token.kind) {
      case 'int':
      case 'float':
      case 'uint':
        return this.#numberLiteral(this.#take(), { isNegative: false, offset: token.offset });
      case 'string':
      case 'bytes':
        return this.#quotedLiteral(this.#take());
      case 'identifier':
        return this.#parseIdentOrCall('');
      case 'symbol':
        return this.#parseSymbol(token);
      default:
        return this.#recoverFromUnexpected(token);
    }
  }

  #parseSymbol(token: Token): Expr {
    switch (token.text) {
      case 'true':
      case 'false':
        this.#take();
        return this.#nodes.literal({ kind: 'bool', value: token.text === 'true' }, token.offset);
      case 'null':
        this.#take();
        return this.#nodes.literal({ kind: 'null', value: null }, token.offset);
      case '(': {
        this.#take();
        const inner = this.#parseExpression();
        this.#expect(')');
        return inner;
      }
      case '[':
        return this.#parseList(this.#take().offset);
      case '{':
        return this.#parseMap(this.#take().offset);
      case '.':
        this.#take();
        if (this.#token.kind === 'identifier') return this.#parseIdentOrCall('.');
        throw new SyntaxErrorAbort(
          `no viable alternative at input '.${this.#token.kind === 'end' ? '' : this.#token.text}'`,
          this.#token.offset,
        );
      default:
        return this.#recoverFromUnexpected(token);
    }
  }

  /** Skips one extraneous token, as ANTLR does; otherwise parsing ends here. */
  #recoverFromUnexpected(token: Token): Expr {
    const next = this.#tokens[this.#position + 1];
    const recovers =
      next !== undefined &&
      token.kind !== 'end' &&
      next.kind !== 'end' &&
      (next.kind !== 'symbol' || expressionStartSymbols.has(next.text));
    const verb = recovers ? 'extraneous' : 'mismatched';
    const problem = new SyntaxErrorAbort(
      `${verb} input '${token.text}' expecting ${expressionStartTokens}`,
      token.offset,
    );
    if (!recovers) throw problem;
    this.#issues.push(problem.issue);
    this.#take();
    return this.#parsePrimary();
  }

  #numberLiteral(
    token: Token,
    { isNegative, offset }: { readonly isNegative: boolean; readonly offset: number },
  ): Expr {
    const sign = isNegative ? '-' : '';
    let value: LiteralValue | undefined;
    if (token.kind === 'int') value = parseInt64Literal(token.text, isNegative);
    else if (token.kind === 'uint') value = parseUint64Literal(token.text);
    else value = parseDoubleLiteral(sign + token.text);
    if (value === undefined) {
      // Parsing continues with another value, to find further issues.
      const kind = token.kind === 'float' ? 'double' : token.kind;
      this.#issues.push({ message: `invalid ${kind} literal`, offset });
      value = { kind: 'int', value: 0n };
    }
    return this.#nodes.literal(value, offset);
  }

  #quotedLiteral(token: Token): Expr {
    const value = parseQuotedLiteral(token.text, token.kind as 'string' | 'bytes');
    if ('problem' in value) {
      this.#issues.push({ message: value.problem, offset: token.offset });
      return this.#nodes.literal({ kind: 'string', value: '' }, token.offset);
    }
    return this.#nodes.literal(value, token.offset);
  }

  /** A variable, a function call or a message construction, with or without a leading dot. */
  #parseIdentOrCall(leadingDot: string): Expr {
    const token = this.#take();
    const name = leadingDot + token.text;
    const message = this.#acceptMessageName(name);
    if (message !== undefined) return this.#parseMessage(message);
    if (reservedWords.has(token.text))
      this.#issues.push({ message: `reserved identifier: ${token.text}`, offset: token.offset });
    const open = this.#accept('(');
    if (open) return this.#createGlobalCall(name, this.#parseArguments(), open.offset);
    return this.#nodes.ident(name, token.offset);
  }

  /**
   * Consumes the type name of a message construction `a.b.C{…}`; undefined, and nothing is consumed, if no `{`
   * follows.
   */
  #acceptMessageName(first: string): string | undefined {
    let name = first;
    let position = this.#position;
    while (this.#tokens[position]!.text === '.' && this.#tokens[position + 1]!.kind === 'identifier') {
      name += `.${this.#tokens[position + 1]!.text}`;
      position += 2;
    }
    const next = this.#tokens[position]!;
    if (next.kind !== 'symbol' || next.text !== '{') return undefined;
    this.#position = position;
    return name;
  }

  #parseMessage(typeName: string): Expr {
    const open = this.#take();
    const fields: FieldEntry[] = [];
    while (!this.#isSymbol('}')) {
      const isOptional = this.#acceptOptional('?', this.#token.offset);
      const token = this.#token;
      if (token.kind !== 'identifier' && token.kind !== 'escaped identifier') {
        throw new SyntaxErrorAbort(
          `extraneous input '${token.text}' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}`,
          token.offset,
        );
      }
      this.#take();
      const colon = this.#expect(':');
      const id = this.#nodes.nextId();
      const value = this.#parseExpression();
      fields.push({ id, offset: colon.offset, field: this.#fieldName(token), value, optional: isOptional });
      if (!this.#accept(',')) break;
    }
    this.#expect('}');
    return { node: 'struct', id: this.#nodes.nextId(), offset: open.offset, typeName, fields };
  }

  #parseList(offset: number): Expr {
    const elements: Expr[] = [];
    const optional = new Set<number>();
    this.#assertNotAtEnd(describeStartTokens(['[', ']', '{', '(', '.', ',', '-', '!', '?']));
    this.#acceptLoneComma(']');
    while (!this.#isSymbol(']')) {
      if (this.#acceptOptional('?', this.#token.offset)) optional.add(elements.length);
      elements.push(this.#parseExpression());
      if (!this.#accept(',')) {
        this.#expect(']', "{']', ','}");
        return this.#nodes.list(elements, optional, offset);
      }
      if (this.#token.kind === 'end') break;
    }
    this.#expect(']');
    return this.#nodes.list(elements, optional, offset);
  }

  #parseMap(offset: number): Expr {
    const entries: MapEntry[] = [];
    this.#assertNotAtEnd(describeStartTokens(['[', '{', '}', '(', '.', ',', '-', '!', '?']));
    this.#acceptLoneComma('}');
    while (!this.#isSymbol('}')) {
      const isOptional = this.#acceptOptional('?', this.#token.offset);
      const key = this.#parseExpression();
      const colon = this.#expect(':');
      const id = this.#nodes.nextId();
      entries.push({ id, offset: colon.offset, key, value: this.#parseExpression(), optional: isOptional });
      if (!this.#accept(',')) break;
    }
    this.#expect('}', "{'}', ','}");
    return this.#nodes.map(entries, offset);
  }

  /** `[,]` is an empty list. */
  #acceptLoneComma(close: string): void {
    if (this.#isSymbol(',') && this.#tokens[this.#position + 1]!.text === close) this.#take();
  }

  #parseArguments(): Expr[] {
    const args: Expr[] = [];
    if (this.#accept(')')) return args;
    this.#assertNotAtEnd(describeStartTokens(['[', '{', '(', ')', '.', '-', '!']));
    do args.push(this.#parseExpression());
    while (this.#accept(','));
    this.#expect(')');
    return args;
  }

  #createGlobalCall(name: string, args: readonly Expr[], offset: number): Expr {
    const macro = this.#macroFor(name, args.length, false);
    const expanded = macro && this.#expandMacro(macro, this.#nodes.ident(name, offset), args, offset);
    return expanded ?? this.#nodes.call(name, args, offset);
  }

  #createMemberCall(name: string, target: Expr, args: readonly Expr[], offset: number): Expr {
    const macro = this.#macroFor(name, args.length, true);
    const expanded = macro && this.#expandMacro(macro, target, args, offset);
    return expanded ?? this.#nodes.memberCall(name, target, args, offset);
  }

  #macroFor(name: string, argCount: number, isMember: boolean): Macro | undefined {
    return (
      this.#macros.get(macroKey(name, argCount, isMember)) ??
      this.#macros.get(macroKey(name, undefined, isMember))
    );
  }

  /** Undefined if the call is not of this macro. */
  #expandMacro(macro: Macro, target: Expr, args: readonly Expr[], offset: number): Expr | undefined {
    this.#nodes.offset = offset;
    const expanded = macro.expand(this.#nodes, target, args);
    if (!(expanded instanceof MacroError)) return expanded;
    this.#issues.push(expanded);
    return this.#nodes.bool(false);
  }
}

const macroKey = (name: string, argCount: number | undefined, isMember: boolean) =>
  `${isMember ? '.' : ''}${name}:${argCount ?? '*'}`;
