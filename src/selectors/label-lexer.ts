// Lexer of label selectors (k8s.io/apimachinery/pkg/labels).
const symbols = ['==', '!=', '=', '!', '(', ')', ',', '>', '<'] as const;
const specialCharacters = new Set('=!(),><');
const whitespace = new Set(' \t\r\n');

export interface LabelToken {
  readonly type: 'identifier' | 'end' | 'in' | 'notin' | (typeof symbols)[number];
  readonly text: string;
}

/** `context` says what can occur: `in` and `notin` are operators only where an operator can, else identifiers. */
export class LabelLexer {
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  take(context: 'value' | 'operator'): LabelToken {
    while (whitespace.has(this.#text[this.#offset]!)) this.#offset++;
    const start = this.#offset;
    if (start >= this.#text.length) return { type: 'end', text: '' };
    const symbol = symbols.find((candidate) => this.#text.startsWith(candidate, start));
    if (symbol) {
      this.#offset += symbol.length;
      return { type: symbol, text: symbol };
    }
    while (
      this.#offset < this.#text.length &&
      !specialCharacters.has(this.#text[this.#offset]!) &&
      !whitespace.has(this.#text[this.#offset]!)
    ) {
      this.#offset++;
    }
    const text = this.#text.slice(start, this.#offset);
    const isOperator = context === 'operator' && (text === 'in' || text === 'notin');
    return { type: isOperator ? text : 'identifier', text };
  }

  peek(context: 'value' | 'operator'): LabelToken {
    const offset = this.#offset;
    const token = this.take(context);
    this.#offset = offset;
    return token;
  }
}
