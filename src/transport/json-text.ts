/** JSON as the API writes it: without what could end a script element, so that no browser reads markup in it. */
export function encodeJson(value: unknown): string {
  return withoutMarkup(JSON.stringify(value));
}

/** JSON with those characters escaped. */
export function withoutMarkup(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, escapeOf);
}

function escapeOf(character: string): string {
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
    // Most bytes are copied as they are; indentation is what grows the text.
    let out = Buffer.allocUnsafe(chunk.length * 2 + 64);
    let at = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (at + this.#depth * 2 + 8 > out.length)
        out = Buffer.concat([out, Buffer.allocUnsafe(out.length + this.#depth * 2)]);
      if (this.#inString) {
        out[at++] = byte;
        if (this.#escaped) this.#escaped = false;
        else if (byte === backslash) this.#escaped = true;
        else if (byte === quote) this.#inString = false;
        continue;
      }
      if (byte === space || byte === newline || byte === 0x0d || byte === 0x09) continue;
      const closes = byte === 0x7d || byte === 0x5d;
      if (closes) {
        this.#depth--;
        if (!this.#justOpened) at = this.#breakLine(out, at);
        this.#justOpened = false;
        out[at++] = byte;
        continue;
      }
      if (this.#justOpened) {
        at = this.#breakLine(out, at);
        this.#justOpened = false;
      }
      out[at++] = byte;
      if (byte === quote) this.#inString = true;
      else if (byte === 0x7b || byte === 0x5b) {
        this.#depth++;
        this.#justOpened = true;
      } else if (byte === 0x2c) at = this.#breakLine(out, at);
      else if (byte === 0x3a) out[at++] = space;
    }
    return out.subarray(0, at);
  }

  #breakLine(out: Buffer, at: number): number {
    out[at++] = newline;
    out.fill(space, at, at + this.#depth * 2);
    return at + this.#depth * 2;
  }
}
