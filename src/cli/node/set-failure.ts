// `orch node`: marks a simulated node as failed, or as recovered.
import { isObject, type JsonObject } from '../../codec/json/json-value.ts';
import { orch } from '../../dialect/index.ts';
import type { Connection } from '../cluster/connection.ts';
import { readObject } from '../cluster/read-object.ts';
import { responseError } from '../cluster/response-error.ts';
import { CommandError } from '../command.ts';

// These names are the same in every dialect.
const { labels, simulation } = orch;

export async function setFailure(connection: Connection, name: string, isFailed: boolean): Promise<void> {
  const node = await readObject(connection, 'nodes', name, '');
  if (labelOf(node, labels.simulatedNode) !== 'true') {
    throw new CommandError(
      `node ${JSON.stringify(name)} is not simulated: only simulated nodes fail on command`,
    );
  }
  const path = `/api/v1/nodes/${encodeURIComponent(name)}`;
  const annotations = { [simulation.failed]: isFailed ? 'true' : null };
  const response = await connection.mergePatch(path, { metadata: { annotations } });
  if (response.code !== 200) throw responseError(path, response);
}

function labelOf({ metadata }: JsonObject, name: string): unknown {
  const nodeLabels = isObject(metadata) ? metadata.labels : undefined;
  return isObject(nodeLabels) ? nodeLabels[name] : undefined;
}
