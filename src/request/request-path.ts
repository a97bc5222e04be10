/** The path cannot be read at all; the message goes to the client as plain text with this code. */
export class UnreadableRequest extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The decoded path of a request target and where its query begins (-1: it has none). */
export interface RequestPath {
  readonly path: string;
  readonly queryAt: number;
}

export function parsePath(target: string): RequestPath {
  const mark = target.indexOf('?');
  let path = mark < 0 ? target : target.slice(0, mark);
  if (path.charCodeAt(0) !== 47) path = withoutAuthority(path);
  return { path: path.includes('%') ? decode(path) : path, queryAt: mark < 0 ? -1 : mark + 1 };
}

/** A proxy's client sends the whole URL as its target. */
function withoutAuthority(target: string): string {
  const authority = /^https?:\/\/[^/]*/i.exec(target);
  if (authority) return target.slice(authority[0].length) || '/';
  // Asked of the server as a whole.
  if (target === '*') return target;
  throw new UnreadableRequest(400, '400 Bad Request');
}

function decode(path: string): string {
  if (/%(?![0-9a-fA-F]{2})/.test(path)) throw new UnreadableRequest(400, '400 Bad Request');
  try {
    return decodeURIComponent(path);
  } catch {
    // Escapes that are no UTF-8 are legal in a path; they name nothing that exists.
    const bytes = path.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return Buffer.from(bytes, 'latin1').toString('utf8');
  }
}
