// Transforms response objects as Accept requests (…;as=Table): unchanged, to PartialObjectMetadata, or to a Table.
import type { JsonObject } from '../../codec/json/json-value.ts';
import { stringifyJson } from '../../codec/json/stringify.ts';
import { badRequest, requestedKindMismatch } from '../../errors/catalogue.ts';
import { quote } from '../../errors/quote.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import { PartialObjectMetadata } from '../../kind/meta/partial-object-metadata.ts';
import type { ServedKind } from '../../kind/registry.ts';
import {
  type AgeTemplate,
  ageFormatterAt,
  fillAges,
  renderAgeTemplate,
} from '../../kind/table/age-formatter.ts';
import { layoutOf, type RowTemplate } from '../../kind/table/row-template.ts';
import type { AgeFormatter, TableLayout } from '../../kind/table.ts';
import { columnDefinitions, rowOf } from '../../kind/table-rows.ts';
import type { ConversionTarget } from '../../serializers/offer.ts';
import type { ListDocument, ListMetadata, SerializedKind } from '../../serializers/serializer.ts';
import type { Exchange } from '../../transport/exchange.ts';

/** An object to transform. Each form is computed when it is read. */
export interface TransformSource {
  /** Its JSON in the requested version. */
  readonly json: Buffer;
  /** Its JSON as a list item: without kind and apiVersion. */
  readonly item: Buffer;
  /** The JSON of its metadata. */
  readonly metadata: Buffer;
  /**
   * The object that a Table row shows. It is in the storage version, as Tables are the same in all versions of a kind,
   * except for custom resources.
   */
  tableObject(): ApiObject;
}

export interface ResponseTransform {
  /** Watches with the same id share encoded events. */
  readonly id: string;
  /** The kind of a transformed object. */
  readonly outputKind: SerializedKind;
  /** Whether the result has more of the object than its metadata and printer columns. */
  readonly includesObject: boolean;
  /** The JSON of a response with one object. */
  object(source: TransformSource): Buffer;
  /** The JSON of a list item or Table row. */
  item(source: TransformSource): Buffer;
  /** The list or Table around the items. */
  list(metadata: ListMetadata): ListDocument;
  /** An empty list, for the annotation of streaming lists. */
  emptyList(): ListDocument;
}

/** The transformation to `target`, which the request negotiated; undefined for none. `nowMs` is the time for ages. */
export function transformFor(
  kind: ServedKind,
  target: ConversionTarget | undefined,
  exchange: Exchange,
  nowMs: number,
): ResponseTransform {
  if (!target) return new IdentityTransform(kind);
  const apiVersion = `${target.group}/${target.version}`;
  if (target.kind !== 'Table') return new PartialMetadataTransform(kind, target.kind, apiVersion);
  return new TableTransform(kind, apiVersion, includeObjectParameter(exchange), nowMs);
}

export class IdentityTransform implements ResponseTransform {
  readonly id = '';
  readonly outputKind: SerializedKind;
  readonly includesObject = true;
  readonly #listKind: string;
  /** Lists of custom resources have an empty `continue`. */
  readonly #isCustom: boolean;

  constructor({ apiVersion, kind, definition, group, version }: ServedKind) {
    this.#listKind = definition.listKind ?? `${kind}List`;
    this.#isCustom = definition.isCustom ?? false;
    // Custom resources build their schema at its first use, so it is read lazily.
    this.outputKind = {
      apiVersion,
      kind,
      get schema() {
        return definition.schema;
      },
      // A kind that is only served as a subresource has no plural.
      schemaReference:
        'plural' in definition && !definition.isCustom
          ? { group, version, plural: definition.plural as string }
          : 'anything',
    };
  }

  object({ json }: TransformSource): Buffer {
    return json;
  }

  item({ item }: TransformSource): Buffer {
    return item;
  }

  list(metadata: ListMetadata): ListDocument {
    const { outputKind } = this;
    return {
      kind: this.#listKind,
      apiVersion: outputKind.apiVersion,
      metadata: this.#isCustom ? { continue: '', ...metadata } : metadata,
      itemsField: 'items',
      get itemSchema() {
        return outputKind.schema!;
      },
      emptyItems: '[]',
    };
  }

  emptyList(): ListDocument {
    return { ...this.list({}), emptyItems: 'null' };
  }
}

class PartialMetadataTransform implements ResponseTransform {
  readonly id: string;
  readonly outputKind: SerializedKind;
  readonly includesObject = false;
  readonly #servedKind: ServedKind;
  readonly #requestedKind: string;
  readonly #head: string;

  constructor(servedKind: ServedKind, requestedKind: string, apiVersion: string) {
    this.id = `${requestedKind} ${apiVersion}`;
    this.#servedKind = servedKind;
    this.#requestedKind = requestedKind;
    const kind = 'PartialObjectMetadata';
    this.outputKind = { apiVersion, kind, schema: PartialObjectMetadata, schemaReference: 'metadata' };
    this.#head = `{"kind":"${kind}","apiVersion":"${apiVersion}","metadata":`;
  }

  object(source: TransformSource): Buffer {
    if (this.#requestedKind !== this.outputKind.kind)
      throw requestedKindMismatch(this.#requestedKind, 'not a list', goTypeName(this.#servedKind));
    return this.item(source);
  }

  item(source: TransformSource): Buffer {
    return Buffer.concat([Buffer.from(this.#head), source.metadata, closeBrace]);
  }

  /** `item` as a string, for the object in a Table row. */
  text({ metadata }: TransformSource): string {
    return `${this.#head}${metadata}}`;
  }

  list(metadata: ListMetadata): ListDocument {
    if (this.#requestedKind === this.outputKind.kind) {
      throw requestedKindMismatch(this.#requestedKind, 'a list', `${goTypeName(this.#servedKind)}List`);
    }
    return { ...this.emptyList(), metadata };
  }

  emptyList(): ListDocument {
    const { apiVersion, kind } = this.outputKind;
    const isBeta = apiVersion.endsWith('/v1beta1');
    return {
      kind: `${kind}List`,
      apiVersion,
      metadata: {},
      itemsField: 'items',
      itemSchema: PartialObjectMetadata,
      emptyItems: 'null',
      // v1beta1 numbers its two fields the other way round.
      ...(isBeta && { fieldNumbers: { metadata: 2, items: 1 } }),
    };
  }
}

const closeBrace = Buffer.from('}');

/** The internal Go type of a kind in upstream's error text: `*core.Pod`. */
function goTypeName({ definition: { group, kind } }: ServedKind): string {
  return `*${group.split('.')[0] || 'core'}.${kind}`;
}

type IncludeObject = 'None' | 'Metadata' | 'Object';

function includeObjectParameter({ query }: Exchange): IncludeObject {
  const includeObject = query.get('includeObject') || 'Metadata';
  if (includeObject === 'None' || includeObject === 'Metadata' || includeObject === 'Object')
    return includeObject;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${quote(includeObject)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

export class TableTransform implements ResponseTransform {
  readonly id: string;
  readonly outputKind: SerializedKind;
  readonly includesObject: boolean;
  readonly #layout: TableLayout;
  readonly #includeObject: IncludeObject;
  /** Formats ages relative to the time of the request. */
  readonly ageFormatter: AgeFormatter;
  readonly #metadata: PartialMetadataTransform;

  constructor(servedKind: ServedKind, apiVersion: string, includeObject: IncludeObject, nowMs: number) {
    this.id = `Table ${apiVersion} ${includeObject}`;
    this.outputKind = {
      apiVersion,
      kind: 'Table',
      // Not used: Tables are served as JSON and YAML only, which need no schema.
      schema: PartialObjectMetadata,
      schemaReference: 'anything',
    };
    this.#layout = layoutOf(servedKind);
    this.#includeObject = includeObject;
    this.includesObject = includeObject === 'Object';
    this.ageFormatter = ageFormatterAt(nowMs);
    this.#metadata = new PartialMetadataTransform(servedKind, 'PartialObjectMetadata', apiVersion);
  }

  object(source: TransformSource): Buffer {
    return this.singleRowTable(source, this.ageFormatter, 'with columns');
  }

  /** A Table with one row, with or without column definitions. */
  singleRowTable(
    source: TransformSource,
    ageFormatter: AgeFormatter,
    columns: 'with columns' | 'without columns',
  ): Buffer {
    const object = source.tableObject();
    const row = this.#row(source, object, ageFormatter);
    return this.#tableAround(row, object.metadata.resourceVersion, columns);
  }

  /** Like `singleRowTable`, with a row from `rowTemplateOf`, so that the object need not be decoded. */
  tableWithRow(
    source: TransformSource,
    template: RowTemplate,
    ageFormatter: AgeFormatter,
    columns: 'with columns' | 'without columns',
  ): Buffer {
    const row = this.#withObject(fillAges(template, ageFormatter), source);
    return this.#tableAround(row, template.resourceVersion, columns);
  }

  #tableAround(
    row: string,
    resourceVersion: string | undefined,
    columns: 'with columns' | 'without columns',
  ): Buffer {
    const head: JsonObject = {
      kind: 'Table',
      apiVersion: this.outputKind.apiVersion,
      metadata: resourceVersion ? { resourceVersion } : {},
      columnDefinitions: columns === 'with columns' ? columnDefinitions(this.#layout) : null,
    };
    return Buffer.from(`${stringifyJson(head).slice(0, -1)},"rows":[${row}]}`);
  }

  item(source: TransformSource): Buffer {
    return Buffer.from(this.#row(source, source.tableObject(), this.ageFormatter));
  }

  /** A row with gaps for the ages, so that it can be cached. */
  rowTemplate(source: TransformSource): AgeTemplate {
    const object = source.tableObject();
    return renderAgeTemplate((ageFormatter) => this.#row(source, object, ageFormatter));
  }

  /** Like `item`, with a row from `rowTemplateOf`. */
  itemWithRow(source: TransformSource, template: RowTemplate): Buffer {
    return Buffer.from(this.#withObject(fillAges(template, this.ageFormatter), source));
  }

  /** Like `rowTemplate`, with a row from `rowTemplateOf`. */
  completeTemplate(source: TransformSource, { texts, moments }: RowTemplate): AgeTemplate {
    return { texts: [...texts.slice(0, -1), this.#withObject(texts.at(-1) ?? '', source)], moments };
  }

  #row(source: TransformSource, object: ApiObject, ageFormatter: AgeFormatter): string {
    return this.#withObject(stringifyJson(rowOf(this.#layout, object, ageFormatter)).slice(0, -1), source);
  }

  /** Completes a row that lacks its `object` and closing brace. */
  #withObject(row: string, source: TransformSource): string {
    return `${row},"object":${this.#object(source)}}`;
  }

  #object(source: TransformSource): string {
    if (this.#includeObject === 'None') return 'null';
    return this.#includeObject === 'Object' ? source.json.toString() : this.#metadata.text(source);
  }

  list(metadata: ListMetadata): ListDocument {
    const { apiVersion } = this.outputKind;
    const extraFields = { columnDefinitions: columnDefinitions(this.#layout) };
    return { kind: 'Table', apiVersion, metadata, extraFields, itemsField: 'rows', emptyItems: '[]' };
  }

  emptyList(): ListDocument {
    return this.list({});
  }
}
