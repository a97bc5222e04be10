import type { Dialect } from '../../dialect/dialect.ts';
import { showStored } from '../../resource/codec.ts';
import type { ServedResource } from '../../resource/registry.ts';
import { jsonEvent, type WatchFormat } from '../../store/watch/hub.ts';

/** Watch events of a resource as lines of JSON. */
export function jsonFormat(resource: ServedResource, dialect: Dialect): WatchFormat {
  return {
    id: `${resource.apiVersion} ${resource.kind} json`,
    event: (type, object) => jsonEvent(type, showStored(resource, object)),
    bookmark(revision, initialEventsEnd) {
      const { schema } = resource.definition;
      const object = schema.zero();
      object.kind = resource.kind;
      object.apiVersion = resource.apiVersion;
      object.metadata.resourceVersion = String(revision);
      if (initialEventsEnd) {
        object.metadata.annotations = {
          [dialect.annotations.initialEventsEnd]: 'true',
          [dialect.annotations.initialEventsListBlueprint]: blueprint(resource),
        };
      }
      return Buffer.from(`{"type":"BOOKMARK","object":${schema.write(object)}}\n`);
    },
  };
}

/** An empty list of the kind, for clients that make a list out of the events. */
function blueprint(resource: ServedResource): string {
  const list = { kind: `${resource.kind}List`, apiVersion: resource.apiVersion, metadata: {}, items: null };
  return Buffer.from(`${JSON.stringify(list)}\n`).toString('base64');
}
