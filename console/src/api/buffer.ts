// The functions of Node's Buffer that the shared functions of src/ call, for the browser. esbuild injects it.

const utf8 = new TextEncoder();

class BrowserBuffer extends Uint8Array {
  static byteLength(text: string): number {
    return utf8.encode(text).length;
  }

  override toString(): string {
    return new TextDecoder().decode(this);
  }
}

const fromText = (text: string) => new BrowserBuffer(utf8.encode(text));
export const Buffer = Object.assign(BrowserBuffer, { from: fromText });
