// Encodes watch events and bookmarks in the negotiated media type and transformation.
import { randomUUID } from 'node:crypto';
import { concatChunks } from '../../../base/chunk.ts';
import type { Dialect } from '../../../dialect/dialect.ts';
import type { ApiError } from '../../../errors/status.ts';
import type { ApiObject } from '../../../kind/api-object.ts';
import { Status as StatusSchema } from '../../../kind/meta/status.ts';
import type { ServedResource } from '../../../kind/registry.ts';
import { ageFormatterAt } from '../../../kind/table/age-formatter.ts';
import type { RowTemplate } from '../../../kind/table/row-template.ts';
import type { TaskOwner } from '../../../request/task-owner.ts';
import { jsonSerializer } from '../../../serializers/json-serializer.ts';
import type { EventName, Serializer } from '../../../serializers/serializer.ts';
import { minLargeBytes, type Serializers } from '../../../serializers/serializers.ts';
import type { EventObject, LargeEventEncoder, WatchFormat } from '../../../store/watch/hub.ts';
import { storedSource, unstoredSource } from '../send-object.ts';
import {
  IdentityTransform,
  type ResponseTransform,
  TableTransform,
  type TransformSource,
} from '../transform.ts';

export interface EventEncoding {
  readonly resource: ServedResource;
  readonly serializer: Serializer;
  readonly transform: ResponseTransform;
  /** Has the names of annotations. */
  readonly dialect: Dialect;
  /** The clock for the ages in Tables. */
  readonly now: () => number;
  readonly serializers: Serializers;
  /** The request of the watch, for which a worker thread encodes large events. */
  readonly owner: TaskOwner;
}

/** The format in which the watch hub encodes events. Watches with equal `id` share encoded events. */
export function watchFormat(encoding: EventEncoding): WatchFormat {
  const { resource, serializer, transform, dialect } = encoding;
  const tables = transform instanceof TableTransform ? new EventTables(transform, encoding.now) : undefined;
  const transformObject = (source: TransformSource) =>
    tables ? tables.table(source) : transform.object(source);
  const large = largeEventEncoder(encoding, tables);
  const { apiVersion, kind } = resource;
  const encodeEvent = (type: EventName, source: TransformSource) =>
    serializer.event(type, serializer.object(transform.outputKind, transformObject(source)));
  return {
    // Only the first Table of a watch has column definitions, so watches cannot share events.
    id:
      transform instanceof TableTransform
        ? `table ${randomUUID()}`
        : `${apiVersion} ${kind} ${serializer.mediaType} ${transform.id}`,
    event: (type, object: EventObject) => encodeEvent(type, storedSource(resource, object)),
    bookmark(revision, { initialEventsEnd } = { initialEventsEnd: false }) {
      const { isCustom } = resource.definition;
      // Tables are the same in all versions, except for custom resources.
      const bookmarkKind = transform instanceof TableTransform && !isCustom ? resource.stored : resource;
      const object = bookmarkKind.definition.schema.zero() as ApiObject;
      object.metadata.resourceVersion = String(revision);
      if (initialEventsEnd) {
        object.metadata.annotations = {
          [dialect.annotations.initialEventsEnd]: 'true',
          [dialect.annotations.initialEventsListBlueprint]: listBlueprint(resource, serializer, transform),
        };
      }
      const source = unstoredSource(bookmarkKind, object);
      if (!isCustom || !(transform instanceof IdentityTransform)) return encodeEvent('BOOKMARK', source);
      // The bookmark of a custom resource has only metadata.
      const json = Buffer.from(JSON.stringify({ apiVersion, kind, metadata: object.metadata }));
      return encodeEvent('BOOKMARK', { ...source, json, item: json });
    },
    ...(large && { large }),
  };
}

/** The Tables of one watch: as upstream, only the first has column definitions. */
class EventTables {
  readonly #transform: TableTransform;
  readonly #now: () => number;
  #columns: 'with columns' | 'without columns' = 'with columns';

  constructor(transform: TableTransform, now: () => number) {
    this.#transform = transform;
    this.#now = now;
  }

  table(source: TransformSource): Buffer {
    const table = this.#transform.singleRowTable(source, ageFormatterAt(this.#now()), this.#columns);
    this.#columns = 'without columns';
    return table;
  }

  tableWithRow(source: TransformSource, row: RowTemplate): Buffer {
    const table = this.#transform.tableWithRow(source, row, ageFormatterAt(this.#now()), this.#columns);
    this.#columns = 'without columns';
    return table;
  }
}

/**
 * Encodes large events on a worker thread. Undefined if there is none, or if the events consist of the stored bytes: JSON, of
 * the object in its storage version or of its metadata.
 */
function largeEventEncoder(
  { resource, serializer, transform, serializers, owner }: EventEncoding,
  tables: EventTables | undefined,
): LargeEventEncoder | undefined {
  const isConverted = transform.includesObject && resource !== resource.stored;
  const isStoredJson = serializer === jsonSerializer && !tables && !isConverted;
  if (!serializers.hasWorker || isStoredJson) return undefined;
  return {
    minBytes: minLargeBytes,
    async event(type, object) {
      const converting = isConverted ? serializers.inVersion(resource, object, owner) : undefined;
      const source = storedSource(resource, converting ? await converting : object);
      if (tables) {
        const row = await serializers.tableRow(resource, object, owner);
        const table = () => (row ? tables.tableWithRow(source, row) : tables.table(source));
        return () => serializer.event(type, serializer.object(transform.outputKind, table()));
      }
      const json = transform.object(source);
      const event = await serializers.event(serializer, transform.outputKind, type, json, owner);
      return () => event;
    },
  };
}

/** The list blueprint annotation: an empty list of the kind, which clients fill with the events. */
function listBlueprint(
  { definition, apiVersion }: ServedResource,
  serializer: Serializer,
  transform: ResponseTransform,
): string {
  if (definition.isCustom && serializer === jsonSerializer && transform instanceof IdentityTransform) {
    const { kind } = transform.emptyList();
    return Buffer.from(`${JSON.stringify({ apiVersion, items: [], kind })}\n`).toString('base64');
  }
  return concatChunks(serializer.list(transform.emptyList(), [])).toString('base64');
}

const statusKind = { apiVersion: 'v1', kind: 'Status', schema: StatusSchema };

/** An ERROR event, whose object is the Status of the error. */
export function errorEvent(serializer: Serializer, error: ApiError): Buffer {
  const json = Buffer.from(JSON.stringify(error.toStatus()));
  return serializer.event('ERROR', serializer.object(statusKind, json));
}
