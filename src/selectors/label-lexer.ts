// Lexer of label selectors (k8s.io/apimachinery/pkg/labels). Selectors of clients may have 100,000 characters, so each
// character is read once, and symbols share their tokens.
type LabelSymbol = '==' | '!=' | '=' | '!' | '(' | ')' | ',' | '>' | '<';

export interface LabelToken {
  readonly type: 'identifier' | 'end' | 'in' | 'notin' | LabelSymbol;
  readonly text: string;
}

const token = (symbol: LabelSymbol): LabelToken => ({ type: symbol, text: symbol });
const end: LabelToken = { type: 'end', text: '' };
/** By character code: the symbols of one character, and those of two, which end with `=`. */
const shortSymbols = new Map(['=', '!', '(', ')', ',', '>', '<'].map(byCode));
const longSymbols = new Map(['==', '!='].map(byCode));
const equalsSign = '='.charCodeAt(0);

function byCode(symbol: string): [number, LabelToken] {
  return [symbol.charCodeAt(0), token(symbol as LabelSymbol)];
}

/** The characters that end an identifier. */
const isDelimiter = new Uint8Array(128);
for (const character of '=!(),>< \t\r\n') isDelimiter[character.charCodeAt(0)] = 1;

/** `context` says what can occur: `in` and `notin` are operators only where an operator can, else identifiers. */
export class LabelLexer {
  readonly #text: string;
  #offset = 0;
  /** The token that `peek` has read. */
  #peeked: LabelToken | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  take(context: 'value' | 'operator'): LabelToken {
    const next = this.peek(context);
    this.#peeked = undefined;
    return next;
  }

  peek(context: 'value' | 'operator'): LabelToken {
    this.#peeked ??= this.#read();
    const { type, text } = this.#peeked;
    if (context === 'value' || type !== 'identifier') return this.#peeked;
    return text === 'in' || text === 'notin' ? { type: text, text } : this.#peeked;
  }

  #read(): LabelToken {
    const text = this.#text;
    while (isWhitespace(text.charCodeAt(this.#offset))) this.#offset++;
    const start = this.#offset;
    if (start >= text.length) return end;
    const code = text.charCodeAt(start);
    if (isDelimiter[code]) {
      const long = text.charCodeAt(start + 1) === equalsSign ? longSymbols.get(code) : undefined;
      const symbol = long ?? shortSymbols.get(code)!;
      this.#offset += symbol.text.length;
      return symbol;
    }
    let offset = start + 1;
    while (offset < text.length && !isDelimiter[text.charCodeAt(offset)]) offset++;
    this.#offset = offset;
    return { type: 'identifier', text: text.slice(start, offset) };
  }
}

/** Space, tab, carriage return and line feed. */
const isWhitespace = (code: number) => code === 32 || code === 9 || code === 13 || code === 10;
