// JSON text of responses: HTML escaping as in Go's encoding/json, and indentation for ?pretty.

/** JSON without characters of HTML markup, so that no browser interprets it as a page. */
export function encodeJson(value: unknown): string {
  return escapeHtml(JSON.stringify(value));
}

/** Escapes <, >, & and the line separators of JavaScript. */
export function escapeHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, unicodeEscape);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const quote = 0x22;
const backslash = 0x5c;
const newline = 0x0a;
const space = 0x20;
const tab = 0x09;
const carriageReturn = 0x0d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;
const colon = 0x3a;

/**
 * Indents JSON bytes by two spaces, chunk by chunk, without decoding them: numbers, key order and escapes stay as they
 * are. White space between tokens is dropped.
 */
export class JsonIndenter {
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** An object or array was just opened: it stays on one line if it closes at once. */
  #justOpened = false;

  push(chunk: Buffer): Buffer {
    // Only indentation makes the output longer than the input: the first guess is double, and the buffer grows on demand.
    let output = Buffer.allocUnsafe(chunk.length * 2 + 64);
    let length = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      // A byte adds at most itself, a line break with its indentation, and a space.
      if (length + this.#depth * 2 + 8 > output.length)
        output = Buffer.concat([output, Buffer.allocUnsafe(output.length + this.#depth * 2)]);
      if (this.#inString) {
        output[length++] = byte;
        if (this.#escaped) this.#escaped = false;
        else if (byte === backslash) this.#escaped = true;
        else if (byte === quote) this.#inString = false;
        continue;
      }
      if (byte === space || byte === newline || byte === carriageReturn || byte === tab) continue;
      const closes = byte === closeBrace || byte === closeBracket;
      if (closes) {
        this.#depth--;
        if (!this.#justOpened) length = this.#breakLine(output, length);
        this.#justOpened = false;
        output[length++] = byte;
        continue;
      }
      if (this.#justOpened) {
        length = this.#breakLine(output, length);
        this.#justOpened = false;
      }
      output[length++] = byte;
      if (byte === quote) this.#inString = true;
      else if (byte === openBrace || byte === openBracket) {
        this.#depth++;
        this.#justOpened = true;
      } else if (byte === comma) length = this.#breakLine(output, length);
      else if (byte === colon) output[length++] = space;
    }
    return output.subarray(0, length);
  }

  #breakLine(output: Buffer, length: number): number {
    output[length++] = newline;
    output.fill(space, length, length + this.#depth * 2);
    return length + this.#depth * 2;
  }
}
