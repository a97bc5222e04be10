/**
 * Encoding of an object in etcd: one line with its JSON (without the revision, which only the write assigns), and the
 * trailer, one line with the other properties of its Draft (store.ts: an object to be written). Other programs can read the object from etcd, and Orch
 * serves it without parsing it.
 */
import type { Draft } from '../store.ts';

/** An object read from etcd: a draft, and its resource prefix. */
export interface DecodedValue {
  readonly prefix: string;
  readonly draft: Draft;
}

/** The properties of a Draft beside the JSON, under the names of the stored format (`mark`: schemaFingerprint); empty ones are omitted. */
interface Trailer {
  readonly prefix: string;
  readonly revisionAt: number;
  readonly itemAt: number;
  readonly mark: string;
  readonly labels?: string;
  readonly fields?: string;
  readonly expiresAt?: number;
}

const NEWLINE = 10;
/** The gap in the JSON: the revision is inserted between the last two quotes. */
const revisionGap = '"resourceVersion":""';
/** Offset between these quotes. */
const gapOffset = revisionGap.length - 1;

export function encodeValue(prefix: string, draft: Draft): Buffer {
  const { json, revisionOffset, listItemOffset, schemaFingerprint } = draft;
  const { labels, selectableFields, expiresAtMs } = draft;
  const trailer: Trailer = {
    prefix,
    revisionAt: revisionOffset,
    itemAt: listItemOffset,
    mark: schemaFingerprint,
    ...(labels !== '' && { labels }),
    ...(selectableFields !== '' && { fields: selectableFields }),
    ...(expiresAtMs !== undefined && { expiresAt: expiresAtMs }),
  };
  return Buffer.concat([json, Buffer.from(`\n${JSON.stringify(trailer)}`)]);
}

/** Undefined for a value that Orch did not write, or not for this key. */
export function decodeValue(key: string, value: Buffer): DecodedValue | undefined {
  const jsonEnd = value.lastIndexOf(NEWLINE);
  if (jsonEnd < 0) return undefined;
  const trailer = readTrailer(value.toString('utf8', jsonEnd + 1));
  if (!trailer) return undefined;
  const { prefix, revisionAt, itemAt, mark, labels = '', fields = '', expiresAt } = trailer;
  if (!key.startsWith(`${prefix}/`)) return undefined;
  const json = value.subarray(0, jsonEnd);
  if (json.toString('latin1', revisionAt - gapOffset, revisionAt + 1) !== revisionGap) return undefined;
  const draft: Draft = {
    json,
    revisionOffset: revisionAt,
    listItemOffset: itemAt,
    labels,
    selectableFields: fields,
    schemaFingerprint: mark,
    expiresAtMs: expiresAt,
  };
  return { prefix, draft };
}

function readTrailer(text: string): Trailer | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isTrailer(parsed) ? parsed : undefined;
}

function isTrailer(parsed: unknown): parsed is Trailer {
  if (typeof parsed !== 'object' || parsed === null) return false;
  const { prefix, revisionAt, itemAt, mark, labels, fields, expiresAt } = parsed as Record<
    keyof Trailer,
    unknown
  >;
  return (
    typeof prefix === 'string' &&
    Number.isSafeInteger(revisionAt) &&
    Number.isSafeInteger(itemAt) &&
    typeof mark === 'string' &&
    ['string', 'undefined'].includes(typeof labels) &&
    ['string', 'undefined'].includes(typeof fields) &&
    ['number', 'undefined'].includes(typeof expiresAt)
  );
}
