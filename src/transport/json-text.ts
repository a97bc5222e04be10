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
    // Indentation is all that makes the output longer than the input.
    let out = Buffer.allocUnsafe(chunk.length * 2 + 64);
    let length = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (length + this.#depth * 2 + 8 > out.length)
        out = Buffer.concat([out, Buffer.allocUnsafe(out.length + this.#depth * 2)]);
      if (this.#inString) {
        out[length++] = byte;
        if (this.#escaped) this.#escaped = false;
        else if (byte === backslash) this.#escaped = true;
        else if (byte === quote) this.#inString = false;
        continue;
      }
      if (byte === space || byte === newline || byte === 0x0d || byte === 0x09) continue;
      const closes = byte === 0x7d || byte === 0x5d;
      if (closes) {
        this.#depth--;
        if (!this.#justOpened) length = this.#breakLine(out, length);
        this.#justOpened = false;
        out[length++] = byte;
        continue;
      }
      if (this.#justOpened) {
        length = this.#breakLine(out, length);
        this.#justOpened = false;
      }
      out[length++] = byte;
      if (byte === quote) this.#inString = true;
      else if (byte === 0x7b || byte === 0x5b) {
        this.#depth++;
        this.#justOpened = true;
      } else if (byte === 0x2c) length = this.#breakLine(out, length);
      else if (byte === 0x3a) out[length++] = space;
    }
    return out.subarray(0, length);
  }

  #breakLine(out: Buffer, length: number): number {
    out[length++] = newline;
    out.fill(space, length, length + this.#depth * 2);
    return length + this.#depth * 2;
  }
}
