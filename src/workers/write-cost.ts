// Estimates the cost of a write before anything is parsed, so that an expensive one is prepared on a worker thread. The cost
// depends on bytes (long strings) and on elements: fields and array items, each of which is decoded, validated and owned.

import { applyCborType, applyYamlType } from '../patch/decode-applied-configuration.ts';
import type { EncodedInput } from '../registry/write/context.ts';
import { countElements } from '../serializers/element-count.ts';
import type { BodyFormat } from '../serializers/request-body.ts';
import type { StoredObject } from '../store/store.ts';

/**
 * Bytes above which a write could block the event loop for too long, whatever they contain. Patch and apply take longer,
 * because managedFields must be computed.
 */
const maxBytes = { object: 256 * 1024, patch: 64 * 1024 };
/** The same for YAML. Measured: parsing takes up to 300 µs per KB. YAML that starts with `{` is JSON, which kubectl sends. */
const maxYamlBytes = 32 * 1024;
/** Elements above which it could. Measured: an invalid element takes up to 10 µs. */
const maxElements = 4_000;
/** An element takes at least 2 bytes, so fewer bytes have no more than `maxElements`, except in YAML with aliases. */
const maxUncountedBytes = 2 * maxElements;

const openBrace = 0x7b;

/** Whether the write could block the event loop for too long. `current`: the stored object that it changes. */
export function isExpensive(input: EncodedInput, current: StoredObject | undefined): boolean {
  const source = 'body' in input ? input.body.source : input.source;
  const format = formatOf(input);
  const bytes = source.length + (current?.json.length ?? 0);
  if (bytes <= maxUncountedBytes && format !== 'yaml') return false;
  if (bytes > ('body' in input ? maxBytes.object : maxBytes.patch)) return true;
  if (format === 'yaml' && source[0] !== openBrace && source.length > maxYamlBytes) return true;
  const elements = countElements(source, format) + (current ? countElements(current.json, 'json') : 0);
  return elements > maxElements;
}

function formatOf(input: EncodedInput): BodyFormat {
  if ('body' in input) return input.body.format ?? 'json';
  if (input.type === applyYamlType) return 'yaml';
  return input.type === applyCborType ? 'cbor' : 'json';
}
