// Worker thread: renders the Table row of an object.
import type { Registry } from '../kind/registry.ts';
import { rowTemplateOf } from '../kind/table/row-template.ts';
import { asBuffer, type Outcome, type TableRowMessage } from './messages.ts';
import type { WorkerCustomResources } from './worker-custom-resources.ts';

export function renderTableRow(
  registry: Registry,
  customResources: WorkerCustomResources,
  { rowOf, key, schemaFingerprint, definition, objectLength, bytes }: TableRowMessage,
): Outcome {
  const json = asBuffer(bytes);
  if (definition) customResources.add({ ...definition, json: json.subarray(objectLength) });
  const resource = registry.find(rowOf.group, rowOf.version, rowOf.plural);
  if (!resource) return { is: 'notOffloadable' };
  const template = rowTemplateOf(resource, { key, schemaFingerprint, json: json.subarray(0, objectLength) });
  return { is: 'encoded', bytes: Buffer.from(JSON.stringify(template)) };
}
