// Worker thread: renders the OpenAPI paths and schemas of a custom resource.
import type { Dialect } from '../dialect/dialect.ts';
import type { Registry } from '../kind/registry.ts';
import { renderCustomResource } from '../openapi/builder/custom/render.ts';
import { asBuffer, type OpenApiMessage, type Outcome } from './messages.ts';
import type { WorkerCustomResources } from './worker-custom-resources.ts';

export async function renderOpenApi(
  dialect: Dialect,
  registry: Registry,
  customResources: WorkerCustomResources,
  { resource: { group, version, plural }, openApi, format, definition, bytes }: OpenApiMessage,
): Promise<Outcome> {
  customResources.add({ ...definition, json: asBuffer(bytes) });
  const resource = registry.find(group, version, plural);
  if (!resource) return { is: 'notOffloadable' };
  return { is: 'rendered', texts: await renderCustomResource(dialect, resource, openApi, format) };
}
