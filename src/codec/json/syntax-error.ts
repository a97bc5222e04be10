// Messages of JSON syntax errors, identical to those of Go's encoding/json.

/** The message for text that is not JSON. As in Go, it is about the first character that cannot follow. */
export function describeSyntaxError(text: string, maxNesting: number): string {
  const scanner = new JsonScanner(text, maxNesting);
  try {
    scanner.scanDocument();
  } catch (error) {
    if (error instanceof FoundSyntaxError) return error.message;
    throw error;
  }
  throw new Error('describeSyntaxError was called with valid JSON');
}

class FoundSyntaxError extends Error {}

class JsonScanner {
  readonly #text: string;
  readonly #maxNesting: number;
  /** The closing brackets of the open containers, innermost last. */
  readonly #expectedClosings: ('}' | ']')[] = [];
  #index = 0;

  constructor(text: string, maxNesting: number) {
    this.#text = text;
    this.#maxNesting = maxNesting;
  }

  scanDocument(): void {
    for (;;) {
      this.#skipSpace();
      if (this.#scanValueStart()) continue;
      if (this.#scanValueEnd()) return;
    }
  }

  /** Scans a scalar or the start of a container; returns true if a value must follow. */
  #scanValueStart(): boolean {
    const c = this.#peek();
    if (c === '{') {
      this.#openContainer('}');
      this.#skipSpace();
      if (this.#peek() === '}') return false;
      this.#scanKey();
      return true;
    }
    if (c === '[') {
      this.#openContainer(']');
      this.#skipSpace();
      return this.#peek() !== ']';
    }
    if (c === '"') this.#scanString();
    else if (c === '-' || isDigit(c)) this.#scanNumber();
    else if (c === 't') this.#scanLiteral('true');
    else if (c === 'f') this.#scanLiteral('false');
    else if (c === 'n') this.#scanLiteral('null');
    else this.#unexpected('looking for beginning of value');
    return false;
  }

  /** Scans the ends of containers after a value; returns true at the end of the document. */
  #scanValueEnd(): boolean {
    for (;;) {
      this.#skipSpace();
      const closing = this.#expectedClosings.at(-1);
      if (closing === undefined) {
        if (this.#index === this.#text.length) return true;
        this.#unexpected('after top-level value');
      }
      const c = this.#peek();
      if (c === closing) {
        this.#expectedClosings.pop();
        this.#index++;
      } else if (c === ',') {
        this.#index++;
        if (closing === '}') {
          this.#skipSpace();
          this.#scanKey();
        }
        return false;
      } else {
        this.#unexpected(closing === '}' ? 'after object key:value pair' : 'after array element');
      }
    }
  }

  #openContainer(closing: '}' | ']'): void {
    if (this.#expectedClosings.length >= this.#maxNesting) this.#unexpected('exceeded max depth');
    this.#expectedClosings.push(closing);
    this.#index++;
  }

  #scanKey(): void {
    if (this.#peek() !== '"') this.#unexpected('looking for beginning of object key string');
    this.#scanString();
    this.#skipSpace();
    if (this.#peek() !== ':') this.#unexpected('after object key');
    this.#index++;
  }

  #scanString(): void {
    this.#index++;
    for (;;) {
      const c = this.#peek();
      if (c < ' ') this.#unexpected('in string literal');
      this.#index++;
      if (c === '"') return;
      if (c !== '\\') continue;
      const escaped = this.#peekInToken();
      if (!'bfnrt\\/"u'.includes(escaped)) this.#unexpected('in string escape code');
      this.#index++;
      if (escaped !== 'u') continue;
      for (let i = 0; i < 4; i++) {
        if (!/[0-9a-fA-F]/.test(this.#peekInToken())) this.#unexpected('in \\u hexadecimal character escape');
        this.#index++;
      }
    }
  }

  #scanNumber(): void {
    if (this.#peek() === '-') {
      this.#index++;
      if (!isDigit(this.#peekInToken())) this.#unexpected('in numeric literal');
    }
    if (this.#peekInToken() === '0') this.#index++;
    else this.#skipDigits();
    if (this.#text[this.#index] === '.') {
      this.#index++;
      if (!isDigit(this.#peekInToken())) this.#unexpected('after decimal point in numeric literal');
      this.#skipDigits();
    }
    if (/[eE]/.test(this.#text[this.#index] ?? '')) {
      this.#index++;
      if ('+-'.includes(this.#peekInToken())) this.#index++;
      if (!isDigit(this.#peekInToken())) this.#unexpected('in exponent of numeric literal');
      this.#skipDigits();
    }
  }

  #skipDigits(): void {
    while (isDigit(this.#text[this.#index] ?? '')) this.#index++;
  }

  #scanLiteral(literal: string): void {
    this.#index++;
    for (const expected of literal.slice(1)) {
      if (this.#peekInToken() !== expected)
        this.#unexpected(`in literal ${literal} (expecting '${expected}')`);
      this.#index++;
    }
  }

  #skipSpace(): void {
    while (' \t\r\n'.includes(this.#text[this.#index] ?? 'x')) this.#index++;
  }

  #peek(): string {
    if (this.#index >= this.#text.length) throw new FoundSyntaxError('unexpected end of JSON input');
    return this.#text[this.#index]!;
  }

  /** Inside a token Go treats the end of the text like a space. */
  #peekInToken(): string {
    return this.#text[this.#index] ?? ' ';
  }

  #unexpected(context: string): never {
    throw new FoundSyntaxError(
      `invalid character ${quoteFirstByte(this.#text.codePointAt(this.#index) ?? 0x20)} ${context}`,
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

/** Go's scanner works on bytes: of a non-ASCII character it prints the first byte as a Latin-1 character. */
function quoteFirstByte(codePoint: number): string {
  const byte = Buffer.from(String.fromCodePoint(codePoint))[0]!;
  const c = String.fromCharCode(byte);
  const hex = byte.toString(16).padStart(2, '0');
  if (shortEscapes[c] !== undefined) return `'${shortEscapes[c]}'`;
  if (byte < 0x20 || byte === 0x7f) return `'\\x${hex}'`;
  // Bytes 0xc2 to 0xf4 start a character, and all of them are letters in Latin-1.
  return `'${c}'`;
}
