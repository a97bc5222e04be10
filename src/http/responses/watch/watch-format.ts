// Encodes watch events and bookmarks in the negotiated media type.
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
import { PlainShape, type Shape, type Source, TableShape } from '../transform.ts';

export function watchFormat(
  resource: ServedResource,
  form: Serializer,
  shape: Shape,
  dialect: Dialect,
  now: () => number,
): WatchFormat {
  const show = shape instanceof TableShape ? tablesOf(shape, now) : (source: Source) => shape.one(source);
  const { apiVersion, kind } = resource;
  const write = (type: EventName, source: Source) =>
    form.event(type, form.object(shape.written, show(source)));
  return {
    // Only the first Table of a watch has column definitions, so watches cannot share events.
    id:
      shape instanceof TableShape
        ? `table ${randomUUID()}`
        : `${apiVersion} ${kind} ${form.mediaType} ${shape.id}`,
    event: (type, object: EventObject) => write(type, storedSource(resource, object)),
    bookmark(revision, initialEventsEnd) {
      const { isCustom } = resource.definition;
      // Tables are the same in all versions, except for custom resources.
      const shown = shape instanceof TableShape && !isCustom ? resource.stored : resource;
      const object = shown.definition.schema.zero() as ApiObject;
      object.metadata.resourceVersion = String(revision);
      if (initialEventsEnd) {
        object.metadata.annotations = {
          [dialect.annotations.initialEventsEnd]: 'true',
          [dialect.annotations.initialEventsListBlueprint]: blueprint(resource, form, shape),
        };
      }
      const source = unstoredSource(shown, object);
      if (!isCustom || !(shape instanceof PlainShape)) return write('BOOKMARK', source);
      // The bookmark of a custom resource has only metadata.
      const json = Buffer.from(JSON.stringify({ apiVersion, kind, metadata: object.metadata }));
      return write('BOOKMARK', { ...source, json, item: json });
    },
  };
}

/** Only the first Table has column definitions. */
function tablesOf(shape: TableShape, now: () => number): (source: Source) => Buffer {
  let isFirst = true;
  return (source) => {
    const table = shape.table(source, ageFormatterAt(now()), isFirst);
    isFirst = false;
    return table;
  };
}

/** The list blueprint annotation: an empty list of the kind, which clients fill with the events. */
function blueprint({ definition, apiVersion }: ServedResource, form: Serializer, shape: Shape): string {
  if (definition.isCustom && form === jsonSerializer && shape instanceof PlainShape) {
    const { kind } = shape.blueprint();
    return Buffer.from(`${JSON.stringify({ apiVersion, items: [], kind })}\n`).toString('base64');
  }
  return concatChunks(form.list(shape.blueprint(), [])).toString('base64');
}

const statusKind = { apiVersion: 'v1', kind: 'Status', schema: StatusSchema };

export function errorEvent(form: Serializer, error: ApiError): Buffer {
  const json = Buffer.from(JSON.stringify(error.toStatus()));
  return form.event('ERROR', form.object(statusKind, json));
}
