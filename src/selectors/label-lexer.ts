// Lexer of label selectors (k8s.io/apimachinery/pkg/labels).
const symbols = ['==', '!=', '=', '!', '(', ')', ',', '>', '<'] as const;
const special = new Set('=!(),><');
const whitespace = new Set(' \t\r\n');

export interface LabelToken {
  readonly type: 'identifier' | 'end' | 'in' | 'notin' | (typeof symbols)[number];
  readonly text: string;
}

/** `in` and `notin` are operators only where an operator can occur. */
export class LabelLexer {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  take(place: 'value' | 'operator'): LabelToken {
    while (whitespace.has(this.#text[this.#at]!)) this.#at++;
    const start = this.#at;
    if (start >= this.#text.length) return { type: 'end', text: '' };
    const symbol = symbols.find((candidate) => this.#text.startsWith(candidate, start));
    if (symbol) {
      this.#at += symbol.length;
      return { type: symbol, text: symbol };
    }
    while (
      this.#at < this.#text.length &&
      !special.has(this.#text[this.#at]!) &&
      !whitespace.has(this.#text[this.#at]!)
    ) {
      this.#at++;
    }
    const text = this.#text.slice(start, this.#at);
    const isOperator = place === 'operator' && (text === 'in' || text === 'notin');
    return { type: isOperator ? text : 'identifier', text };
  }

  peek(place: 'value' | 'operator'): LabelToken {
    const at = this.#at;
    const token = this.take(place);
    this.#at = at;
    return token;
  }
}
