// The CRD format `email`: one mailbox of RFC 5322, alone, with a display name, or as the only member of a group.

import { isIP } from 'node:net';

/** Bounds backtracking; RFC 5321 allows 254 characters. */
const maxAddressLength = 10_000;

export function isEmailAddress(text: string): boolean {
  return text.length <= maxAddressLength && new AddressParser(text).isAddress();
}

/** A recursive-descent parser (Go: net/mail). Each method consumes its part, and returns false if it is malformed. */
class AddressParser {
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAddress(): boolean {
    return this.#address({ allowsGroup: true }) && this.#comments() && this.#isAtEnd;
  }

  #address({ allowsGroup }: { readonly allowsGroup: boolean }): boolean {
    this.#spaces();
    const start = this.#offset;
    if (this.#addrSpec()) return true;
    this.#offset = start;
    if (!this.#isNext('<') && !this.#phrase()) return false;
    this.#spaces();
    if (allowsGroup && this.#take(':')) return this.#group();
    return this.#take('<') && this.#addrSpec() && this.#take('>');
  }

  /** A group with one member. */
  #group(): boolean {
    this.#spaces();
    if (!this.#address({ allowsGroup: false })) return false;
    return this.#comments() && this.#take(';');
  }

  #addrSpec(): boolean {
    this.#spaces();
    const local = this.#match(this.#isNext('"') ? quoted : dotAtom);
    if (local === undefined || local === '""' || !this.#take('@')) return false;
    this.#spaces();
    const domain = this.#match(this.#isNext('[') ? literal : dotAtom);
    return domain !== undefined && (!domain.startsWith('[') || isLiteralAddress(domain.slice(1, -1)));
  }

  /** Atoms and quoted strings, with dots anywhere, followed by comments. */
  #phrase(): boolean {
    for (let count = 0; ; count++) {
      this.#spaces();
      const token = this.#match(this.#isNext('"') ? quoted : word);
      if (token === undefined) return count > 0;
      // An undecodable encoded word ends the display name.
      if (isUndecodable(token)) return count > 0;
      if (!this.#comments()) return true;
    }
  }

  #comments(): boolean {
    this.#spaces();
    while (this.#isNext('(')) {
      if (!this.#comment()) return false;
      this.#spaces();
    }
    return true;
  }

  /** Comments nest. */
  #comment(): boolean {
    let depth = 0;
    for (; this.#offset < this.#text.length; this.#offset++) {
      const character = this.#text[this.#offset];
      if (character === '\\') this.#offset++;
      else if (character === '(') depth++;
      else if (character === ')' && --depth === 0) {
        this.#offset++;
        return true;
      }
    }
    return false;
  }

  get #isAtEnd(): boolean {
    return this.#offset === this.#text.length;
  }

  #spaces(): void {
    this.#match(/[ \t]*/y);
  }

  #isNext(character: string): boolean {
    return this.#text[this.#offset] === character;
  }

  #take(character: string): boolean {
    if (!this.#isNext(character)) return false;
    this.#offset++;
    return true;
  }

  /** Consumes and returns the text that matches; undefined if none does. The pattern is sticky. */
  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset;
    const match = pattern.exec(this.#text)?.[0];
    this.#offset += match?.length ?? 0;
    return match;
  }
}

const isLiteralAddress = (text: string) => isIP(text) !== 0 && !text.includes('%');

/** An encoded word (RFC 2047) with an unknown charset, or an empty one. */
function isUndecodable(text: string): boolean {
  const [, charset, quotedPrintable, base64 = ''] = encodedWord.exec(text) ?? [];
  if (charset === undefined || base64.length % 4 !== 0) return false;
  return (quotedPrintable ?? base64) === '' || !/^(?:utf-8|us-ascii|iso-8859-1)$/i.test(charset);
}

const encodedWord = /^=\?([^?]+)\?(?:q\?((?:[!-<>@-~]|=[0-9a-f]{2})*)|b\?([A-Za-z0-9+/]*={0,2}))\?=$/i;

const atext = "[A-Za-z0-9!#$%&'*+\\-/=?^_`{|}~\\u0080-\\u{10ffff}]";
const dotAtom = new RegExp(`${atext}+(?:\\.${atext}+)*(?!\\.)`, 'uy');
const word = new RegExp(`(?:${atext}|\\.)+`, 'uy');
const literal = /\[[!-Z^-~\u0080-\u{10ffff}]*\]/uy;
const quoted = /"(?:[\t !#-[\]-~\u0080-\u{10ffff}]|\\[\t -~\u0080-\u{10ffff}])*"/uy;
