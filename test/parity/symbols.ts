import type { Json, JsonObject } from './case.ts';
import { ChosenValues } from './chosen.ts';
import { timeless } from './owners.ts';
import type { Replay } from './replay.ts';
import { isRecent, shownExpiry } from './times.ts';
import { isToken, shownToken, tokenInText } from './tokens.ts';

/**
 * Replaces values that a server may choose freely by symbols. Within a case equal values get equal symbols, named after the
 * response in which they first occur: `uid#3` is the uid first seen in the third response. So a different response does not
 * make later ones differ, and a wrongly changed uid, or a revision that does not increase, is visible.
 */

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const timestamp = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const generatedSuffix = '[bcdfghjklmnpqrstvwxz2456789]{5}\\b';
const revisionInText =
  /(current: |in record \(|in object meta: |not decodable revision=|too old resource version: \d+ \()\d+/g;
const revisionInQuotedJson = /(resourceVersion\\":\\")\d+/g;
/** The digest of a client certificate. */
const certificateDigest = /X509SHA256=[0-9a-f]{64}/g;
const goPointer = /\(0x[0-9a-f]+\)/g;
/** The reference randomly chooses the spaces with which it indents diffs, once per process. */
const noBreakSpace = /\u00a0/g;

export class Symbols {
  readonly #names: [string, string][];
  /** The generateName values of the client. */
  readonly #generated: string[];
  /** Revisions of objects, with their symbols. */
  readonly #revisions = new Map<bigint, string>();
  readonly #uids = new Map<string, string>();
  readonly #chosen: ChosenValues;
  readonly #pauses: readonly number[];

  constructor(replay: Replay, answers: Json[][]) {
    const { names, requests, pauses } = replay;
    this.#pauses = pauses;
    this.#chosen = new ChosenValues(replay, answers);
    this.#names = names;
    this.#generated = requests.flatMap(
      ({ body }) => /"generateName":"([^"]+)"/.exec(body?.toString() ?? '')?.[1] ?? [],
    );
    for (const [index, documents] of answers.entries()) this.#learnRevisions(documents, index + 1);
  }

  /** Rewrites a document of the response with this number. */
  rewrite(value: Json, answer: number): Json {
    if (typeof value === 'string') return this.rewriteText(value, answer);
    if (Array.isArray(value)) return value.map((item) => this.rewrite(item, answer));
    if (!isObject(value)) return value;
    const { kind } = value;
    const fields = kind === 'Table' ? plainTable(value) : value;
    // A key may be `__proto__`.
    const rewritten: JsonObject = Object.create(null);
    for (const key of Object.keys(fields).sort()) {
      rewritten[this.rewriteText(key, answer)] = this.#rewriteField(key, fields[key] ?? null, fields, answer);
    }
    return rewritten;
  }

  #rewriteField(key: string, value: Json, owner: JsonObject, answer: number): Json {
    if (key === 'serverAddress') return '<address>';
    if (key === 'token' && isToken(value)) return this.rewrite(shownToken(value), answer);
    if (key === 'expirationTimestamp' && typeof value === 'string') return shownExpiry(value);
    if (key === 'causes' && isObjects(value)) return this.rewrite(causesInOrder(value), answer);
    const isPort = key === 'nodePort' || key === 'healthCheckNodePort';
    if (isPort && typeof value === 'number') return this.#chosen.rewritePort(value);
    if (key !== 'metadata' || !isObject(value)) return this.rewrite(value, answer);
    const { managedFields, resourceVersion, continue: token, ...rest } = value;
    const metadata = this.rewrite(rest, answer) as JsonObject;
    if (managedFields !== undefined) {
      const owners = isObjects(managedFields) ? timeless(managedFields, this.#pauses) : managedFields;
      metadata.managedFields = this.rewrite(owners, answer);
    }
    if (resourceVersion !== undefined) {
      metadata.resourceVersion = isRevision(resourceVersion)
        ? this.#revision(BigInt(resourceVersion), isOfCollection(owner))
        : resourceVersion;
    }
    if (token !== undefined) metadata.continue = token === '' ? '' : '<continue>';
    return metadata;
  }

  rewriteText(text: string, answer: number): string {
    let rewritten = text;
    for (const [used, symbol] of this.#names) {
      // The digits of a port may occur inside a uid.
      const isPort = /^\d+$/.test(used);
      rewritten = rewritten.replaceAll(
        isPort ? new RegExp(`(?<![\\da-f])${used}(?![\\da-f])`, 'g') : used,
        symbol,
      );
    }
    for (const prefix of this.#generated) {
      const generated = new RegExp(`${escapeForRegExp(prefix)}${generatedSuffix}`, 'g');
      rewritten = rewritten.replaceAll(generated, `${prefix}<generated>`);
    }
    return this.#chosen
      .rewriteText(rewritten)
      .replaceAll(uuid, (id) => symbolFor(this.#uids, id, `uid#${answer}`))
      .replaceAll(timestamp, (time, fraction?: string) =>
        isRecent(time) ? `<now${precision(fraction)}>` : time,
      )
      .replaceAll(revisionInText, '$1<rv>')
      .replaceAll(revisionInQuotedJson, '$1<rv>')
      .replaceAll(tokenInText, '<token>')
      .replaceAll(certificateDigest, 'X509SHA256=<digest>')
      .replaceAll(goPointer, '(0x…)')
      .replaceAll(noBreakSpace, ' ');
  }

  #learnRevisions(value: Json, answer: number): void {
    if (Array.isArray(value)) {
      for (const item of value) this.#learnRevisions(item, answer);
    } else if (isObject(value)) {
      const { metadata, ...rest } = value;
      if (isObject(metadata) && isRevision(metadata.resourceVersion) && !isOfCollection(value)) {
        this.#learnRevision(BigInt(metadata.resourceVersion), answer);
      }
      if (value.type !== 'BOOKMARK') this.#learnRevisions(Object.values(rest), answer);
    }
  }

  #learnRevision(revision: bigint, answer: number): void {
    const later = smallest([...this.#revisions.keys()].filter((known) => known > revision));
    const older = later === undefined ? '' : ` (older than ${this.#revisions.get(later)})`;
    symbolFor(this.#revisions, revision, `rv#${answer}`, older);
  }

  /** The revision of a list or bookmark may be any at or after the last object's: other cases write too. */
  #revision(revision: bigint, ofCollection: boolean): string {
    const exact = this.#revisions.get(revision);
    if (exact !== undefined && !ofCollection) return exact;
    const last = [...this.#revisions.keys()].filter((known) => known <= revision);
    return `at or after ${this.#revisions.get(largest(last) ?? -1n) ?? 'the start'}`;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isObjects(value: Json): value is JsonObject[] {
  return Array.isArray(value) && value.every(isObject);
}

/** The reference lists the managers of a conflict in any order. */
function causesInOrder(causes: JsonObject[]): JsonObject[] {
  const text = ({ field, message }: JsonObject) => `${String(field)}\n${String(message)}`;
  return causes.every(({ reason }) => reason === 'FieldManagerConflict')
    ? causes.toSorted((a, b) => (text(a) < text(b) ? -1 : 1))
    : causes;
}

function symbolFor<Value>(known: Map<Value, string>, value: Value, symbol: string, remark = ''): string {
  const present = known.get(value);
  if (present !== undefined) return present;
  const alike = [...known.values()].filter((other) => other.split(/[. ]/)[0] === symbol).length;
  const fresh = `${symbol}${alike === 0 ? '' : `.${alike + 1}`}${remark}`;
  known.set(value, fresh);
  return fresh;
}

function isRevision(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,19}$/.test(value);
}

/** A list, or the object of a bookmark: an object without a name. */
function isOfCollection(owner: JsonObject): boolean {
  return 'items' in owner || (isObject(owner.metadata) && owner.metadata.name === undefined);
}

/** A Table without the ages of objects and the descriptions of columns. */
function plainTable(table: JsonObject): JsonObject {
  const { columnDefinitions, rows } = table;
  const ageless = (cell: Json) => (typeof cell === 'string' && /^(\d+[dhms])+$/.test(cell) ? '<age>' : cell);
  return {
    ...table,
    columnDefinitions: mapObjects(columnDefinitions, (column) => ({ ...column, description: '<text>' })),
    rows: mapObjects(rows, (row) =>
      Array.isArray(row.cells) ? { ...row, cells: row.cells.map(ageless) } : row,
    ),
  };
}

function mapObjects(list: Json | undefined, change: (item: JsonObject) => JsonObject): Json {
  return Array.isArray(list) ? list.map((item) => (isObject(item) ? change(item) : item)) : (list ?? null);
}

function precision(fraction?: string): string {
  return fraction === undefined ? '' : ` to ${fraction.length - 1} digits`;
}

function escapeForRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function smallest(revisions: bigint[]): bigint | undefined {
  return revisions.sort((a, b) => (a < b ? -1 : 1))[0];
}

function largest(revisions: bigint[]): bigint | undefined {
  return revisions.sort((a, b) => (a < b ? 1 : -1))[0];
}
