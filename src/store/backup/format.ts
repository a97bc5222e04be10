/**
 * Backup file format: JSON lines with the state of a store at one revision, independent of the backend.
 *
 * ```
 * {"format":"orch-backup","version":1,"dialect":"orch","revision":1234,"takenAt":"2026-01-02T03:04:05.678Z"}
 * {"key":"configmaps/default/a","prefix":"configmaps","revision":12,"bytes":345,"revisionAt":132,"itemAt":40,"mark":"…"}
 * {"kind":"ConfigMap","apiVersion":"v1","metadata":{…,"resourceVersion":"12"},"data":{…}}
 * …
 * {"objects":1000,"sha256":"…"}
 * ```
 *
 * Every object is an entry, which is a line of store metadata (the properties of StoredObject), followed by a line of
 * `bytes` bytes with the JSON as a client would read it. Keys are distinct and in byte order. The last line has the
 * number of objects and the digest of everything before it: a file without it is incomplete.
 */

import type { Draft, Revision, StoredObject } from '../store.ts';
import { assertValidKey } from '../stored-object.ts';

export interface BackupHeader {
  /** The set of API names (`--dialect`) that the objects use. */
  readonly dialect: string;
  /** The revision of the snapshot. */
  readonly revision: Revision;
  /** RFC 3339. */
  readonly takenAt: string;
}

/** An object and its resource prefix. */
export interface BackedUpObject {
  readonly prefix: string;
  readonly object: StoredObject;
}

/** The last line. */
export interface BackupEnd {
  readonly objects: number;
  readonly sha256: string;
}

/** The metadata line before an object. */
export interface BackupEntry extends Omit<Draft, 'json'> {
  readonly key: string;
  readonly prefix: string;
  readonly revision: Revision;
  /** Length of the JSON. */
  readonly bytes: number;
}

/** The file cannot be used as a backup, or a backup cannot be made. The message says why. */
export class BackupError extends Error {}

const FORMAT = 'orch-backup';
/** Incremented with every change of the format. */
const VERSION = 1;
/** Above the largest object that a server accepts. */
const MAX_OBJECT_BYTES = 64 * 1024 * 1024;
/** LMDB records store the length of the schema fingerprint (`mark`) in 16 bits. */
const MAX_MARK_LENGTH = 65_535;

export function formatHeader({ dialect, revision, takenAt }: BackupHeader): string {
  return toLine({ format: FORMAT, version: VERSION, dialect, revision, takenAt });
}

export function parseHeader(text: string): BackupHeader {
  const { format, version, dialect, revision, takenAt } = parseFields(text);
  if (format !== FORMAT) throw new BackupError('it is not a backup of Orch');
  if (version !== VERSION)
    throw new BackupError(
      `it has version ${version}, this release supports ${VERSION}; restore it with the release that wrote it`,
    );
  if (typeof dialect !== 'string' || !isRevision(revision) || typeof takenAt !== 'string')
    throw new BackupError('its header is incomplete');
  return { dialect, revision, takenAt };
}

export function formatEntry({ prefix, object }: BackedUpObject): string {
  const { key, revision, json, revisionOffset, listItemOffset, schemaFingerprint } = object;
  const { labels, selectableFields, expiresAtMs } = object;
  return toLine({
    key,
    prefix,
    revision,
    bytes: json.length,
    revisionAt: revisionOffset,
    itemAt: listItemOffset,
    mark: schemaFingerprint,
    ...(labels !== '' && { labels }),
    ...(selectableFields !== '' && { fields: selectableFields }),
    ...(expiresAtMs !== undefined && { expiresAt: expiresAtMs }),
  });
}

/** Parses a line after the first: the metadata of an object, or the end. */
export function parseEntryOrEnd(text: string): BackupEntry | BackupEnd {
  const line = parseFields(text);
  if (line.sha256 === undefined) return parseEntry(line);
  const { objects, sha256 } = line;
  if (!isCount(objects) || typeof sha256 !== 'string') throw new BackupError('its last line is damaged');
  return { objects, sha256 };
}

export function formatEnd({ objects, sha256 }: BackupEnd): string {
  return toLine({ objects, sha256 });
}

/** Combines an entry with the JSON of its object. Throws BackupError if the JSON does not have the entry's revision. */
export function toBackedUpObject({ bytes, ...entry }: BackupEntry, json: Buffer): BackedUpObject {
  const { prefix, revision, revisionOffset, ...otherProperties } = entry;
  const digits = String(revision);
  const spliced = json.toString(
    'latin1',
    revisionOffset - revisionLabel.length,
    revisionOffset + digits.length + 1,
  );
  if (spliced !== `${revisionLabel}${digits}"`)
    throw new BackupError(`the object ${entry.key} does not have revision ${revision}`);
  const object = { ...otherProperties, revision, revisionOffset, revisionLength: digits.length, json };
  return { prefix, object };
}

/** The object without its revision, to be committed again. */
export function toDraft(object: StoredObject): Draft {
  const { json, revisionOffset, revisionLength, listItemOffset, schemaFingerprint } = object;
  const { labels, selectableFields, expiresAtMs } = object;
  const jsonWithoutRevision = Buffer.concat([
    json.subarray(0, revisionOffset),
    json.subarray(revisionOffset + revisionLength),
  ]);
  return {
    json: jsonWithoutRevision,
    revisionOffset,
    listItemOffset,
    labels,
    selectableFields,
    schemaFingerprint,
    expiresAtMs,
  };
}

/** The text in front of an object's revision. */
const revisionLabel = '"resourceVersion":"';

function parseEntry(line: Fields): BackupEntry {
  // `mark` is the schema fingerprint.
  const { key, prefix, revision, bytes, revisionAt, itemAt, mark, expiresAt } = line;
  const { labels = '', fields = '' } = line;
  if (
    typeof key !== 'string' ||
    typeof prefix !== 'string' ||
    !isRevision(revision) ||
    !isCount(bytes) ||
    bytes > MAX_OBJECT_BYTES ||
    !isCount(revisionAt) ||
    !isBetween(revisionAt, revisionLabel.length, bytes) ||
    !isCount(itemAt) ||
    !isBetween(itemAt, 1, revisionAt) ||
    typeof mark !== 'string' ||
    mark.length > MAX_MARK_LENGTH ||
    typeof labels !== 'string' ||
    typeof fields !== 'string' ||
    !(expiresAt === undefined || typeof expiresAt === 'number')
  ) {
    throw new BackupError('the line before an object is damaged');
  }
  assertValidKey(prefix, key);
  return {
    key,
    prefix,
    revision,
    bytes,
    revisionOffset: revisionAt,
    listItemOffset: itemAt,
    schemaFingerprint: mark,
    labels,
    selectableFields: fields,
    expiresAtMs: expiresAt,
  };
}

type Fields = Readonly<Record<string, unknown>>;

function parseFields(text: string): Fields {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new BackupError('it is not a backup of Orch, or it is damaged: a line is not JSON');
  }
  if (typeof parsed !== 'object' || parsed === null) throw new BackupError('it is not a backup of Orch');
  return parsed as Fields;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isBetween = (value: number, min: number, max: number) => value >= min && value <= max;
const isRevision = (value: unknown): value is Revision => isCount(value) && value > 0;
const toLine = (fields: Fields) => `${JSON.stringify(fields)}\n`;
