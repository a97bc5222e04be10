// The object, PartialObjectMetadata and Table forms of response objects (Accept: …;as=Table).
import type { JsonObject } from '../../codec/json/json-value.ts';
import { stringifyJson } from '../../codec/json/stringify.ts';
import { badRequest, requestedKindMismatch } from '../../errors/catalogue.ts';
import { quote } from '../../errors/quote.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import { PartialObjectMetadata } from '../../kind/meta/partial-object-metadata.ts';
import type { ServedKind } from '../../kind/registry.ts';
import { type AgeTemplate, ageFormatterAt, renderAgeTemplate } from '../../kind/table/age-formatter.ts';
import type { AgeFormatter, TableLayout } from '../../kind/table.ts';
import { columnDefinitions, defaultLayout, rowOf } from '../../kind/table-rows.ts';
import type { ConversionTarget } from '../../serializers/offer.ts';
import type { ListDocument, ListMetadata, WrittenKind } from '../../serializers/serializer.ts';
import type { Exchange } from '../../transport/exchange.ts';
import { metadataOf } from './metadata-bytes.ts';

/** An object to transform. */
export interface Source {
  /** Its JSON in the requested version. */
  readonly json: Buffer;
  /** Its JSON as a list item: without kind and apiVersion. */
  readonly item: Buffer;
  /** The object in its storage version: Tables are the same in all versions of a kind, except for custom resources. */
  stored(): ApiObject;
}

/** Transforms response objects: unchanged, to PartialObjectMetadata, or to a Table. */
export interface Shape {
  /** Watches with the same id share encoded events. */
  readonly id: string;
  /** The kind of a transformed object. */
  readonly written: WrittenKind;
  one(source: Source): Buffer;
  item(source: Source): Buffer;
  list(metadata: ListMetadata): ListDocument;
  /** An empty list, for the annotation of streaming lists. */
  blueprint(): ListDocument;
}

/** The transformation that the request negotiated. `now` is in milliseconds. */
export function shapeOf(
  kind: ServedKind,
  target: ConversionTarget | undefined,
  exchange: Exchange,
  now: number,
): Shape {
  if (!target) return new PlainShape(kind);
  const apiVersion = `${target.group}/${target.version}`;
  if (target.kind !== 'Table') return new PartialShape(kind, target.kind, apiVersion);
  return new TableShape(kind, apiVersion, includedObject(exchange), now);
}

export class PlainShape implements Shape {
  readonly id = '';
  readonly written: WrittenKind;
  readonly #listKind: string;
  /** Lists of custom resources have an empty `continue`. */
  readonly #isCustom: boolean;

  constructor({ apiVersion, kind, definition, group, version }: ServedKind) {
    this.#listKind = definition.listKind ?? `${kind}List`;
    this.#isCustom = definition.isCustom ?? false;
    // Custom resources build their schema at its first use, so it is read lazily.
    this.written = {
      apiVersion,
      kind,
      get schema() {
        return definition.schema;
      },
      readAs:
        'plural' in definition && !definition.isCustom
          ? { group, version, plural: definition.plural as string }
          : 'anything',
    };
  }

  one({ json }: Source): Buffer {
    return json;
  }

  item({ item }: Source): Buffer {
    return item;
  }

  list(metadata: ListMetadata): ListDocument {
    const { written } = this;
    return {
      kind: this.#listKind,
      apiVersion: written.apiVersion,
      metadata: this.#isCustom ? { continue: '', ...metadata } : metadata,
      field: 'items',
      get item() {
        return written.schema!;
      },
      none: '[]',
    };
  }

  blueprint(): ListDocument {
    return { ...this.list({}), none: 'null' };
  }
}

class PartialShape implements Shape {
  readonly id: string;
  readonly written: WrittenKind;
  readonly #of: ServedKind;
  readonly #asked: string;
  readonly #head: string;

  constructor(of: ServedKind, asked: string, apiVersion: string) {
    this.id = `${asked} ${apiVersion}`;
    this.#of = of;
    this.#asked = asked;
    const kind = 'PartialObjectMetadata';
    this.written = { apiVersion, kind, schema: PartialObjectMetadata, readAs: 'metadata' };
    this.#head = `{"kind":"${kind}","apiVersion":"${apiVersion}","metadata":`;
  }

  one(source: Source): Buffer {
    if (this.#asked !== this.written.kind)
      throw requestedKindMismatch(this.#asked, 'not a list', goType(this.#of));
    return this.item(source);
  }

  item(source: Source): Buffer {
    return Buffer.from(this.text(source));
  }

  text({ json }: Source): string {
    return `${this.#head}${metadataOf(json)}}`;
  }

  list(metadata: ListMetadata): ListDocument {
    if (this.#asked === this.written.kind) {
      throw requestedKindMismatch(this.#asked, 'a list', `${goType(this.#of)}List`);
    }
    return { ...this.blueprint(), metadata };
  }

  blueprint(): ListDocument {
    const { apiVersion, kind } = this.written;
    const isBeta = apiVersion.endsWith('/v1beta1');
    return {
      kind: `${kind}List`,
      apiVersion,
      metadata: {},
      field: 'items',
      item: PartialObjectMetadata,
      none: 'null',
      ...(isBeta && { numbers: { metadata: 2, items: 1 } }),
    };
  }
}

/** The Go type in upstream's error text. */
function goType({ definition: { group, kind } }: ServedKind): string {
  return `*${group.split('.')[0] || 'core'}.${kind}`;
}

type Included = 'None' | 'Metadata' | 'Object';

function includedObject({ query }: Exchange): Included {
  const asked = query.get('includeObject') || 'Metadata';
  if (asked === 'None' || asked === 'Metadata' || asked === 'Object') return asked;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${quote(asked)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

function layoutOf({ definition }: ServedKind): TableLayout | undefined {
  return 'table' in definition ? (definition.table as TableLayout) : undefined;
}

export class TableShape implements Shape {
  readonly id: string;
  readonly written: WrittenKind;
  readonly #layout: TableLayout;
  readonly #included: Included;
  readonly now: AgeFormatter;
  readonly #metadata: PartialShape;

  constructor(of: ServedKind, apiVersion: string, included: Included, now: number) {
    this.id = `Table ${apiVersion} ${included}`;
    this.written = { apiVersion, kind: 'Table', schema: PartialObjectMetadata, readAs: 'anything' };
    this.#layout =
      (of.definition.isCustom ? undefined : layoutOf(of.stored)) ?? layoutOf(of) ?? defaultLayout;
    this.#included = included;
    this.now = ageFormatterAt(now);
    this.#metadata = new PartialShape(of, 'PartialObjectMetadata', apiVersion);
  }

  one(source: Source): Buffer {
    return this.table(source, this.now, true);
  }

  /** A Table with one row. In a watch only the first Table has column definitions. */
  table(source: Source, now: AgeFormatter, withColumns: boolean): Buffer {
    const object = source.stored();
    const { resourceVersion } = object.metadata;
    const head: JsonObject = {
      kind: 'Table',
      apiVersion: this.written.apiVersion,
      metadata: resourceVersion ? { resourceVersion } : {},
      columnDefinitions: withColumns ? columnDefinitions(this.#layout) : null,
    };
    const row = this.#row(source, object, now);
    return Buffer.from(`${stringifyJson(head).slice(0, -1)},"rows":[${row}]}`);
  }

  item(source: Source): Buffer {
    return Buffer.from(this.#row(source, source.stored(), this.now));
  }

  /** A row with gaps for the ages. */
  gappedRow(source: Source): AgeTemplate {
    const object = source.stored();
    return renderAgeTemplate((now) => this.#row(source, object, now));
  }

  #row(source: Source, object: ApiObject, now: AgeFormatter): string {
    const row = stringifyJson(rowOf(this.#layout, object, now)).slice(0, -1);
    return `${row},"object":${this.#object(source)}}`;
  }

  #object(source: Source): string {
    if (this.#included === 'None') return 'null';
    return this.#included === 'Object' ? source.json.toString() : this.#metadata.text(source);
  }

  list(metadata: ListMetadata): ListDocument {
    const { apiVersion } = this.written;
    const more = { columnDefinitions: columnDefinitions(this.#layout) };
    return { kind: 'Table', apiVersion, metadata, more, field: 'rows', none: '[]' };
  }

  blueprint(): ListDocument {
    return this.list({});
  }
}
