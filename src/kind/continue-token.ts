// Reads and writes the `continue` token of paginated lists.
import { badRequest } from '../errors/catalogue.ts';

/**
 * The position after a chunk of a list, and the revision of the list. Opaque to clients, but encoded as upstream does:
 * unpadded base64url of `{"v":"meta…/v1","rv":REVISION,"start":"/KEY\0"}`, the key relative to the list's prefix.
 */
export interface ContinueToken {
  /** The revision of the list. -1: continue at the newest revision, so that the chunks are not of one revision. */
  readonly revision: number;
  /** The last key that was listed, relative to the list's prefix. */
  readonly after: string;
}

export function writeContinueToken(token: ContinueToken, metaGroup: string): string {
  const fields = { v: `${metaGroup}/v1`, rv: token.revision, start: `/${token.after}\0` };
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

const invalidToken = (why: string) => badRequest(`invalid continue token: continue key is not valid: ${why}`);

/** Throws 400 with upstream's texts if the token is malformed. */
export function readContinueToken(text: string, metaGroup: string): ContinueToken {
  const version = `${metaGroup}/v1`;
  const fields = parseFields(text);
  if (fields.v !== version) throw invalidToken(`server does not recognize this encoded version ${fields.v}`);
  if (fields.rv === 0) throw invalidToken(`incorrect encoded start resourceVersion (version ${version})`);
  if (fields.start === '') throw invalidToken(`encoded start key empty (version ${version})`);
  const start = fields.start.replace(/^\//, '');
  if (start !== '' && start.split('/').some(isUncleanSegment)) throw invalidToken(fields.start);
  return { revision: fields.rv, after: start.endsWith('\0') ? start.slice(0, -1) : keyBefore(start) };
}

/** Go's path.Clean removes it. */
const isUncleanSegment = (segment: string) => segment === '' || segment === '.' || segment === '..';

/** A key that sorts right before `start`: a token without the final `\0` names the first key of the next chunk. */
function keyBefore(start: string): string {
  const last = start.charCodeAt(start.length - 1);
  return `${start.slice(0, -1)}${String.fromCharCode(last - 1)}\uffff`;
}

function parseFields(text: string): { v: string; rv: number; start: string } {
  const illegalAt = text.search(/[^A-Za-z0-9_-]/);
  // No base64 text has 4n + 1 characters.
  const errorAt = illegalAt < 0 && text.length % 4 === 1 ? text.length - 1 : illegalAt;
  if (errorAt >= 0) throw invalidToken(`illegal base64 data at input byte ${errorAt}`);
  let decoded: unknown;
  try {
    decoded = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch (cause) {
    throw invalidToken(parseProblem(Buffer.from(text, 'base64url').toString(), cause));
  }
  if (typeof decoded !== 'object' || decoded === null || Array.isArray(decoded)) {
    const type = Array.isArray(decoded) ? 'array' : typeof decoded;
    throw invalidToken(`json: cannot unmarshal ${type} into Go value of type storage.continueToken`);
  }
  const { v = '', rv = 0, start = '' } = decoded as Record<string, unknown>;
  if (typeof v !== 'string') throw invalidToken(wrongTypeMessage(v, 'v', 'string'));
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv))
    throw invalidToken(wrongTypeMessage(rv, 'rv', 'int64'));
  if (typeof start !== 'string') throw invalidToken(wrongTypeMessage(start, 'start', 'string'));
  return { v, rv, start };
}

const wrongTypeMessage = (value: unknown, field: string, type: string) =>
  `json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go struct field continueToken.${field} of type ${type}`;

/** The error of Go's JSON decoder for common mistakes, otherwise the message of JSON.parse. */
function parseProblem(text: string, cause: unknown): string {
  if (text.trim() === '') return 'unexpected end of JSON input';
  const first = text.trimStart()[0]!;
  if (/[^[{"0-9tfn-]/.test(first)) return `invalid character '${first}' looking for beginning of value`;
  return cause instanceof Error ? cause.message : 'not JSON';
}
