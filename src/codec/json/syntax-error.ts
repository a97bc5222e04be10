// Messages of JSON syntax errors, identical to those of Go's encoding/json.

/**
 * Describes what is wrong with a text that is not JSON. Clients see the message, so the scan follows Go's
 * order: it stops at the first character that cannot follow.
 */
export function describeSyntaxError(text: string, maxNesting: number): string {
  const scan = new JsonScanner(text, maxNesting);
  try {
    scan.document();
  } catch (error) {
    if (error instanceof SyntaxFinding) return error.message;
    throw error;
  }
  throw new Error('a text that is JSON was taken for none');
}

class SyntaxFinding extends Error {}

class JsonScanner {
  readonly #text: string;
  readonly #maxNesting: number;
  /** The expected closing brackets, innermost last. */
  readonly #open: ('}' | ']')[] = [];
  #at = 0;

  constructor(text: string, maxNesting: number) {
    this.#text = text;
    this.#maxNesting = maxNesting;
  }

  document(): void {
    for (;;) {
      this.#space();
      if (this.#beginValue()) continue;
      if (this.#endValues()) return;
    }
  }

  /** Reads a scalar, or opens a container; returns true if a value must follow. */
  #beginValue(): boolean {
    const c = this.#peek();
    if (c === '{') {
      this.#push('}');
      this.#space();
      if (this.#peek() === '}') return false;
      this.#key();
      return true;
    }
    if (c === '[') {
      this.#push(']');
      this.#space();
      return this.#peek() !== ']';
    }
    if (c === '"') this.#string();
    else if (c === '-' || isDigit(c)) this.#number();
    else if (c === 't') this.#word('true');
    else if (c === 'f') this.#word('false');
    else if (c === 'n') this.#word('null');
    else this.#unexpected('looking for beginning of value');
    return false;
  }

  /** Closes containers after a value; returns true at the end of the document. */
  #endValues(): boolean {
    for (;;) {
      this.#space();
      const closing = this.#open.at(-1);
      if (closing === undefined) {
        if (this.#at === this.#text.length) return true;
        this.#unexpected('after top-level value');
      }
      const c = this.#peek();
      if (c === closing) {
        this.#open.pop();
        this.#at++;
      } else if (c === ',') {
        this.#at++;
        if (closing === '}') {
          this.#space();
          this.#key();
        }
        return false;
      } else {
        this.#unexpected(closing === '}' ? 'after object key:value pair' : 'after array element');
      }
    }
  }

  #push(closing: '}' | ']'): void {
    if (this.#open.length >= this.#maxNesting) this.#unexpected('exceeded max depth');
    this.#open.push(closing);
    this.#at++;
  }

  #key(): void {
    if (this.#peek() !== '"') this.#unexpected('looking for beginning of object key string');
    this.#string();
    this.#space();
    if (this.#peek() !== ':') this.#unexpected('after object key');
    this.#at++;
  }

  #string(): void {
    this.#at++;
    for (;;) {
      const c = this.#peek();
      if (c < ' ') this.#unexpected('in string literal');
      this.#at++;
      if (c === '"') return;
      if (c !== '\\') continue;
      const escaped = this.#peekInside();
      if (!'bfnrt\\/"u'.includes(escaped)) this.#unexpected('in string escape code');
      this.#at++;
      if (escaped !== 'u') continue;
      for (let i = 0; i < 4; i++) {
        if (!/[0-9a-fA-F]/.test(this.#peekInside())) this.#unexpected('in \\u hexadecimal character escape');
        this.#at++;
      }
    }
  }

  #number(): void {
    if (this.#peek() === '-') {
      this.#at++;
      if (!isDigit(this.#peekInside())) this.#unexpected('in numeric literal');
    }
    if (this.#peekInside() === '0') this.#at++;
    else this.#digits();
    if (this.#text[this.#at] === '.') {
      this.#at++;
      if (!isDigit(this.#peekInside())) this.#unexpected('after decimal point in numeric literal');
      this.#digits();
    }
    if (/[eE]/.test(this.#text[this.#at] ?? '')) {
      this.#at++;
      if ('+-'.includes(this.#peekInside())) this.#at++;
      if (!isDigit(this.#peekInside())) this.#unexpected('in exponent of numeric literal');
      this.#digits();
    }
  }

  #digits(): void {
    while (isDigit(this.#text[this.#at] ?? '')) this.#at++;
  }

  #word(word: string): void {
    this.#at++;
    for (const expected of word.slice(1)) {
      if (this.#peekInside() !== expected) this.#unexpected(`in literal ${word} (expecting '${expected}')`);
      this.#at++;
    }
  }

  #space(): void {
    while (' \t\r\n'.includes(this.#text[this.#at] ?? 'x')) this.#at++;
  }

  #peek(): string {
    if (this.#at >= this.#text.length) throw new SyntaxFinding('unexpected end of JSON input');
    return this.#text[this.#at]!;
  }

  /** Inside a token Go treats the end of the text like a space. */
  #peekInside(): string {
    return this.#text[this.#at] ?? ' ';
  }

  #unexpected(where: string): never {
    throw new SyntaxFinding(
      `invalid character ${quoteFirstByte(this.#text.codePointAt(this.#at) ?? 0x20)} ${where}`,
    );
  }
}

function isDigit(c: string): boolean {
  return c >= '0' && c <= '9';
}

const shortEscapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  "'": "\\'",
};

/** Go works on bytes: of a non-ASCII character it shows the first byte as a Latin-1 character. */
function quoteFirstByte(codePoint: number): string {
  const byte = Buffer.from(String.fromCodePoint(codePoint))[0]!;
  const c = String.fromCharCode(byte);
  const hex = byte.toString(16).padStart(2, '0');
  if (shortEscapes[c] !== undefined) return `'${shortEscapes[c]}'`;
  if (byte < 0x20 || byte === 0x7f) return `'\\x${hex}'`;
  // Bytes 0xc2 to 0xf4 start a character, and all of them are letters in Latin-1.
  return `'${c}'`;
}
