// YAML serializer.
import { Pause } from '../base/chunk.ts';
import type { JsonObject } from '../codec/json/json-value.ts';
import { parseJson } from '../codec/json/parse.ts';
import { encodeYaml, encodeYamlSequenceEntry } from '../codec/yaml/encode.ts';
import type { Serializer } from './serializer.ts';

export const yamlSerializer: Serializer = {
  mediaType: 'application/yaml',
  watchType: undefined,
  object: (_kind, json) => Buffer.from(encodeYaml(parseJson(json).value)),
  event() {
    throw new Error('YAML does not support watches');
  },
  item: (_document, json) => Buffer.from(`${encodeYamlSequenceEntry(parseJson(json).value)}\n`),
  *list({ kind, apiVersion, metadata, extraFields, itemsField, emptyItems }, items) {
    // YAML output has sorted keys, so fields come before and after the items.
    const fields = { kind, apiVersion, metadata, ...extraFields } as unknown as JsonObject;
    const isBeforeItems = (key: string) => key < itemsField;
    yield Buffer.from(encodeFields(fields, isBeforeItems));
    let isFirst = true;
    for (const item of items) {
      if (item instanceof Pause) {
        yield item;
        continue;
      }
      if (isFirst) yield Buffer.from(`${itemsField}:\n`);
      isFirst = false;
      yield item;
    }
    if (isFirst) yield Buffer.from(`${itemsField}: ${emptyItems}\n`);
    yield Buffer.from(encodeFields(fields, (key) => !isBeforeItems(key)));
  },
};

function encodeFields(object: JsonObject, includes: (key: string) => boolean): string {
  const entries = Object.entries(object).filter(([key]) => includes(key));
  return entries.length === 0 ? '' : encodeYaml(Object.fromEntries(entries));
}
