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
  #pending = '';

  constructor(base: LinkBase) {
    super();
    this.#base = base;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    // latin1: tags are ASCII in every encoding of HTML, and other bytes stay unchanged.
    const text = this.#pending + chunk.toString('latin1');
    const open = text.lastIndexOf('<');
    const isInTag = open >= 0 && !text.includes('>', open) && text.length - open < maxTagBytes;
    this.#pending = isInTag ? text.slice(open) : '';
    done(null, this.#rewrite(isInTag ? text.slice(0, open) : text));
  }

  override _flush(done: TransformCallback): void {
    done(null, this.#rewrite(this.#pending));
  }

  /** Scans tag by tag. A pattern for whole tags would take quadratic time on tags that never end. */
  #rewrite(text: string): Buffer {
    let rewritten = '';
    let done = 0;
    for (let open = text.indexOf('<'); open >= 0; open = text.indexOf('<', open + 1)) {
      if (!letter.test(text.charAt(open + 1))) continue;
      const end = text.indexOf('>', open);
      if (end < 0) break;
      const tag = text.slice(open, end);
      rewritten += text.slice(done, open);
      rewritten += tag.replace(
        linkAttributes,
        (_, attribute: string, value: string) => attribute + this.#rewriteValue(value),
      );
      done = end;
      open = end;
    }
    return Buffer.from(rewritten + text.slice(done), 'latin1');
  }

  #rewriteValue(value: string): string {
    const quote = value.startsWith('"') || value.startsWith("'") ? value[0]! : '';
    const link = quote === '' ? value : value.slice(1, -1);
    return quote + rewriteLink(link, this.#base) + quote;
  }
}
