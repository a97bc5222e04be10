// Worker thread: renders the OpenAPI document of a custom resource.
import type { Dialect } from '../dialect/dialect.ts';
import type { Registry } from '../kind/registry.ts';
import { renderCustomResource } from '../openapi/builder/custom/render.ts';
import { asBuffer, type OpenApiMessage, type Outcome } from './messages.ts';
import type { WorkerCustomResources } from './worker-custom-resources.ts';

/** Writes down what OpenAPI says of a kind, on the thread that was asked to. */
export async function renderOpenApi(
  dialect: Dialect,
  registry: Registry,
  learnt: WorkerCustomResources,
  { publish: { group, version, plural }, openApi, as, definition, bytes }: OpenApiMessage,
): Promise<Outcome> {
  learnt.learn({ ...definition, json: asBuffer(bytes) });
  const resource = registry.find(group, version, plural);
  if (!resource) return { is: 'beyond' };
  return { is: 'published', texts: await renderCustomResource(dialect, resource, openApi, as) };
}
