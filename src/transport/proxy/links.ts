// Rewrites links in proxied HTML pages, as upstream's proxy transport does.
import { Transform, type TransformCallback } from 'node:stream';

/** How links of a proxied page are rewritten. */
export interface LinkBase {
  /** The path of the proxy subresource. */
  readonly prefix: string;
  /** Absolute links to this host lead to the backend too. */
  readonly authority: string;
}

/** Relative links and links to other hosts stay. */
export function rewriteLink(link: string, { prefix, authority }: LinkBase): string {
  const absolute = /^(?:https?:)?\/\/([^/?#]*)(.*)$/is.exec(link);
  if (absolute) return absolute[1] === authority ? prefix + (absolute[2] || '/') : link;
  return link.startsWith('/') ? prefix + link : link;
}

const linkAttributes =
  /(\s(?:action|background|cite|classid|codebase|data|formaction|href|icon|longdesc|manifest|poster|profile|src|usemap)\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)/gi;
const letter = /[a-z]/i;
/** A tag that does not end within this many bytes is passed on unchanged. */
const maxTagBytes = 64 * 1024;

/** Rewrites the links of an HTML page as it is streamed. */
export class LinkRewriter extends Transform {
  readonly #base: LinkBase;
  /** A tag at the end of the last chunk that has not ended yet. */
  #pending = '';

  constructor(base: LinkBase) {
    super();
    this.#base = base;
  }

  override _transform(chunk: Buffer, _encoding: string, callback: TransformCallback): void {
    // latin1: tags are ASCII in every encoding of HTML, and other bytes stay unchanged.
    const text = this.#pending + chunk.toString('latin1');
    const tagStart = text.lastIndexOf('<');
    const isInTag = tagStart >= 0 && !text.includes('>', tagStart) && text.length - tagStart < maxTagBytes;
    this.#pending = isInTag ? text.slice(tagStart) : '';
    callback(null, this.#rewrite(isInTag ? text.slice(0, tagStart) : text));
  }

  override _flush(callback: TransformCallback): void {
    callback(null, this.#rewrite(this.#pending));
  }

  /** Scans tag by tag. A pattern for whole tags would take quadratic time on tags that never end. */
  #rewrite(text: string): Buffer {
    let rewritten = '';
    let copiedTo = 0;
    for (let tagStart = text.indexOf('<'); tagStart >= 0; tagStart = text.indexOf('<', tagStart + 1)) {
      if (!letter.test(text.charAt(tagStart + 1))) continue;
      const end = text.indexOf('>', tagStart);
      if (end < 0) break;
      const tag = text.slice(tagStart, end);
      rewritten += text.slice(copiedTo, tagStart);
      rewritten += tag.replace(
        linkAttributes,
        (_, attribute: string, value: string) => attribute + this.#rewriteValue(value),
      );
      copiedTo = end;
      tagStart = end;
    }
    return Buffer.from(rewritten + text.slice(copiedTo), 'latin1');
  }

  #rewriteValue(value: string): string {
    const quote = value.startsWith('"') || value.startsWith("'") ? value[0]! : '';
    const link = quote === '' ? value : value.slice(1, -1);
    return quote + rewriteLink(link, this.#base) + quote;
  }
}
