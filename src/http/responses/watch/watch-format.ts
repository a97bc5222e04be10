// Encodes watch events and bookmarks in the negotiated media type and transformation.
import { randomUUID } from 'node:crypto';
import { concatChunks } from '../../../base/chunk.ts';
import type { Dialect } from '../../../dialect/dialect.ts';
import type { ApiError } from '../../../errors/status.ts';
import type { ApiObject } from '../../../kind/api-object.ts';
import { Status as StatusSchema } from '../../../kind/meta/status.ts';
import type { ServedResource } from '../../../kind/registry.ts';
import { ageFormatterAt } from '../../../kind/table/age-formatter.ts';
import { jsonSerializer } from '../../../serializers/json-serializer.ts';
import type { EventName, Serializer } from '../../../serializers/serializer.ts';
import type { EventObject, WatchFormat } from '../../../store/watch/hub.ts';
import { storedSource, unstoredSource } from '../send-object.ts';
import {
  IdentityTransform,
  type ResponseTransform,
  TableTransform,
  type TransformSource,
} from '../transform.ts';

/**
 * The format in which the watch hub encodes events. Watches with equal `id` share encoded events. `now` is the clock for the
 * ages in Tables; `dialect` has the names of annotations.
 */
export function watchFormat(
  resource: ServedResource,
  serializer: Serializer,
  transform: ResponseTransform,
  dialect: Dialect,
  now: () => number,
): WatchFormat {
  const transformObject =
    transform instanceof TableTransform
      ? tableTransformer(transform, now)
      : (source: TransformSource) => transform.object(source);
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
  };
}

/** Transforms the objects of one watch: as upstream, only the first Table has column definitions. */
function tableTransformer(transform: TableTransform, now: () => number): (source: TransformSource) => Buffer {
  let isFirst = true;
  return (source) => {
    const columns = isFirst ? 'with columns' : 'without columns';
    const table = transform.singleRowTable(source, ageFormatterAt(now()), columns);
    isFirst = false;
    return table;
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
