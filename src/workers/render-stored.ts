// Worker thread: renders the Table row of a stored object, or its JSON in another version.
import type { Registry } from '../kind/registry.ts';
import { storedJsonInVersion } from '../kind/storage/codec.ts';
import { rowTemplateOf } from '../kind/table/row-template.ts';
import { asBuffer, type Outcome, type RenderStoredMessage } from './messages.ts';
import type { WorkerCustomResources } from './worker-custom-resources.ts';

export function renderStored(
  registry: Registry,
  customResources: WorkerCustomResources,
  message: RenderStoredMessage,
): Outcome {
  const { renders, version, key, schemaFingerprint, definition, objectLength } = message;
  const bytes = asBuffer(message.bytes);
  if (definition) customResources.add({ ...definition, json: bytes.subarray(objectLength) });
  const resource = registry.find(version.group, version.version, version.plural);
  if (!resource) return { is: 'notOffloadable' };
  const stored = { key, schemaFingerprint, json: bytes.subarray(0, objectLength) };
  if (renders === 'json') return { is: 'encoded', bytes: storedJsonInVersion(resource, stored) };
  return { is: 'encoded', bytes: Buffer.from(JSON.stringify(rowTemplateOf(resource, stored))) };
}
