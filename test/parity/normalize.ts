import type { Json, JsonObject } from './case.ts';
import type { Answer } from './client.ts';
import type { Replay } from './replay.ts';

/**
 * Turns what one server answered to a case into lines that must equal the other server's. What a server is free to
 * choose is replaced by a symbol; equal values get equal symbols within the case, so a uid that changes where it should
 * not, or a revision that does not grow, still shows.
 */

/** Field ownership is compared once server-side apply is built. */
const compareManagedFields = false;

/** Headers of the transport, of the moment, or of parts not built yet. */
const ignoredHeaders = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'sec-websocket-accept',
  'transfer-encoding',
  'x-kubernetes-pf-flowschema-uid',
  'x-kubernetes-pf-prioritylevel-uid',
]);

/** Headers whose presence is compared, but not what they say. */
const opaqueHeaders = new Set(['audit-id', 'etag']);

export function normalize(replay: Replay): string[][] {
  const parsed = replay.answers.map((answer, index) => parse(answer, replay.steps[index]?.pick));
  const symbols = new Symbols(replay, parsed);
  return replay.answers.map((answer, index) => render(answer, parsed[index] ?? [], symbols));
}

/** The JSON documents of an answer: one, or one for each event of a watch; none when it is not JSON. */
function parse(answer: Answer, pick?: (body: JsonObject) => Json): Json[] {
  const texts = answer.stream ? answer.stream.events : [answer.body];
  try {
    const documents = texts.map((text) => JSON.parse(exactNumbers(text)) as Json);
    return pick ? documents.map((document) => (isObject(document) ? pick(document) : document)) : documents;
  } catch {
    return [];
  }
}

/** Numbers beyond what a double holds are compared digit by digit. */
function exactNumbers(json: string): string {
  return json.replaceAll(/(?<=[:[,]\s*)-?\d{16,}(?=\s*[,}\]])/g, '"$&"');
}

function isYaml({ headers }: Answer): boolean {
  return headers.some(([name, value]) => name === 'content-type' && value.includes('yaml'));
}

function render(answer: Answer, documents: Json[], symbols: Symbols): string[] {
  const head = [`HTTP ${answer.status}`, ...headerLines(answer, symbols)];
  const body = documents.flatMap((document) =>
    JSON.stringify(symbols.rewrite(document), null, 2).split('\n'),
  );
  if (answer.stream) {
    return [...head, ...body, answer.stream.ended ? '(the server ended the stream)' : '(still open)'];
  }
  if (documents.length > 0) return [...head, `layout: ${layout(answer.body)}`, ...body];
  if (answer.body === '') return head;
  const lines = symbols.rewriteText(answer.body).split('\n');
  return [...head, ...(isYaml(answer) ? yamlLines(lines) : lines)];
}

/** YAML is compared as it is written, but for the fields that are normalized in JSON too. */
function yamlLines(lines: string[]): string[] {
  let within = -1;
  return lines.flatMap((line) => {
    const indent = line.search(/[^ ]/);
    if (indent < within || (indent === within && !line.trimStart().startsWith('- '))) within = -1;
    if (within >= 0) return [];
    if (!compareManagedFields && line.trimStart() === 'managedFields:') {
      within = indent;
      return [];
    }
    return [line.replace(/^(\s*resourceVersion: )"\d+"$/, '$1<rv>')];
  });
}

function headerLines(answer: Answer, symbols: Symbols): string[] {
  return answer.headers
    .filter(([name]) => !ignoredHeaders.has(name))
    .map(([name, value]) => `${name}: ${opaqueHeaders.has(name) ? '<any>' : symbols.rewriteText(value)}`)
    .sort();
}

function layout(json: string): string {
  const spacing = json.includes('\n  ') ? 'indented' : 'compact';
  return json.endsWith('\n') ? `${spacing}, newline at the end` : spacing;
}

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const timestamp = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const aDay = 24 * 3600 * 1000;
const generatedSuffix = '[bcdfghjklmnpqrstvwxz2456789]{5}\\b';
const goPointer = /\(0x[0-9a-f]+\)/g;

class Symbols {
  readonly #names: [string, string][];
  readonly #revisions: bigint[];
  readonly #uids = new Map<string, string>();
  /** What the client asked names to begin with. */
  readonly #generated: string[];

  constructor({ names, requests }: Replay, answers: Json[][]) {
    this.#names = names;
    this.#generated = requests.flatMap(
      ({ body }) => /"generateName":"([^"]+)"/.exec(body?.toString() ?? '')?.[1] ?? [],
    );
    const revisions = new Set<bigint>();
    for (const document of answers.flat()) this.#learn(document, revisions);
    this.#revisions = [...revisions].sort((a, b) => (a < b ? -1 : 1));
  }

  /** Finds the revisions objects were written at. */
  #learn(value: Json, revisions: Set<bigint>): void {
    if (Array.isArray(value)) {
      for (const item of value) this.#learn(item, revisions);
    } else if (isObject(value)) {
      const { metadata } = value;
      if (isObject(metadata)) {
        if (isRevision(metadata.resourceVersion) && !isOfCollection(value)) {
          revisions.add(BigInt(metadata.resourceVersion));
        }
      }
      for (const [key, field] of Object.entries(value)) {
        if (key !== 'metadata' && !(key === 'object' && value.type === 'BOOKMARK'))
          this.#learn(field, revisions);
      }
    }
  }

  rewrite(value: Json): Json {
    if (typeof value === 'string') return this.rewriteText(value);
    if (Array.isArray(value)) return value.map((item) => this.rewrite(item));
    if (!isObject(value)) return value;
    if (value.kind === 'Table') {
      const columnDefinitions = withoutDescriptions(value.columnDefinitions);
      return this.#rewriteFields({ ...value, columnDefinitions, rows: withoutAges(value.rows) });
    }
    return this.#rewriteFields(value);
  }

  #rewriteFields(value: JsonObject): JsonObject {
    // A key may be `__proto__`.
    const rewritten: JsonObject = Object.create(null);
    for (const key of Object.keys(value).sort()) {
      const field = value[key] ?? null;
      if (key === 'serverAddress') rewritten[key] = '<address>';
      else
        rewritten[this.rewriteText(key)] =
          key === 'metadata' && isObject(field) ? this.#rewriteMetadata(field, value) : this.rewrite(field);
    }
    return rewritten;
  }

  #rewriteMetadata(metadata: JsonObject, owner: JsonObject): Json {
    const { managedFields, resourceVersion, continue: token, ...rest } = metadata;
    const rewritten = this.rewrite(rest) as JsonObject;
    if (compareManagedFields && managedFields !== undefined)
      rewritten.managedFields = this.rewrite(managedFields);
    if (resourceVersion !== undefined) {
      rewritten.resourceVersion = isRevision(resourceVersion)
        ? this.#revision(BigInt(resourceVersion), isOfCollection(owner))
        : resourceVersion;
    }
    if (token !== undefined) rewritten.continue = token === '' ? '' : '<continue>';
    return rewritten;
  }

  /**
   * Objects' revisions are numbered by size. A list's or a bookmark's may be any at or after the last of them: others
   * write too.
   */
  #revision(revision: bigint, ofCollection: boolean): string {
    const before = this.#revisions.filter((known) => known <= revision).length;
    const exact = this.#revisions.includes(revision) && !ofCollection;
    return exact ? `rv${before}` : `rv${before} or later`;
  }

  rewriteText(text: string): string {
    let rewritten = text;
    for (const [used, symbol] of this.#names) rewritten = rewritten.replaceAll(used, symbol);
    for (const prefix of this.#generated) {
      rewritten = rewritten.replaceAll(
        new RegExp(`${escapeForRegExp(prefix)}${generatedSuffix}`, 'g'),
        `${prefix}<generated>`,
      );
    }
    return rewritten
      .replaceAll(uuid, (id) => symbolFor(this.#uids, id, 'uid'))
      .replaceAll(timestamp, (time, fraction?: string) =>
        Math.abs(Date.parse(time) - Date.now()) < aDay
          ? `<now${fraction ? ` to ${fraction.length - 1} digits` : ''}>`
          : time,
      )
      .replaceAll(/(current: |in record \(|in object meta: |too old resource version: \d+ \()\d+/g, '$1<rv>')
      .replaceAll(goPointer, '(0x…)');
  }
}

/** What a column is about, each server says in its own words. */
function withoutDescriptions(columns: Json | undefined): Json {
  return Array.isArray(columns)
    ? columns.map((column) => (isObject(column) ? { ...column, description: '<text>' } : column))
    : (columns ?? null);
}

/** A table says how old an object is. */
function withoutAges(rows: Json | undefined): Json {
  const ageless = (cell: Json) => (typeof cell === 'string' && /^(\d+[dhms])+$/.test(cell) ? '<age>' : cell);
  return Array.isArray(rows)
    ? rows.map((row) =>
        isObject(row) && Array.isArray(row.cells) ? { ...row, cells: row.cells.map(ageless) } : row,
      )
    : (rows ?? null);
}

function escapeForRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function symbolFor(known: Map<string, string>, value: string, kind: string): string {
  const symbol = known.get(value) ?? `<${kind}${known.size + 1}>`;
  known.set(value, symbol);
  return symbol;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRevision(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,19}$/.test(value);
}

/** A list, or what a bookmark carries: an object without a name. */
function isOfCollection(owner: JsonObject): boolean {
  return 'items' in owner || (isObject(owner.metadata) && owner.metadata.name === undefined);
}
