// Worker thread: renders the Table row of an object.
import type { Registry } from '../kind/registry.ts';
import { rowTemplateOf } from '../kind/table/row-template.ts';
import { asBuffer, type Outcome, type TableRowMessage } from './messages.ts';

export function renderTableRow(
  registry: Registry,
  { rowOf, key, schemaFingerprint, bytes }: TableRowMessage,
): Outcome {
  const resource = registry.find(rowOf.group, rowOf.version, rowOf.plural);
  if (!resource) return { is: 'notOffloadable' };
  const template = rowTemplateOf(resource, { key, schemaFingerprint, json: asBuffer(bytes) });
  return { is: 'encoded', bytes: Buffer.from(JSON.stringify(template)) };
}
