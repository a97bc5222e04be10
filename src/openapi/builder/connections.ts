// OpenAPI operations of the connect subresources: exec, attach, portforward, proxy.
import { connectOptions } from '../../apis/core/connect-options.ts';
import type { Subresource } from '../../kind/definition.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { type Method, methods } from './document.ts';
import { contentOf, type MediaTypes } from './media-types.ts';
import { capitalized, type OperationNames } from './operation-names.ts';
import type { OperationSpec } from './operations.ts';
import { prettyParameter, queryParameters } from './parameters.ts';

/** The operations of a connect subresource, by path suffix. */
export function connectOperations(
  resource: ServedResource,
  { verbs, connect }: Subresource,
  names: OperationNames,
  types: MediaTypes,
): readonly (readonly [subpath: string, operations: readonly OperationSpec[]])[] {
  const { group, version } = resource;
  const kind = connect?.kind ?? '';
  const options = connectOptions[kind];
  const parameters = options ? queryParameters(options) : [];
  const anyContent = contentOf(['*/*'], { type: 'string' });
  // The log of a pod: its connect kind is that of the resource, and it is read rather than connected to.
  if (kind === resource.kind) {
    const readLog: OperationSpec = {
      method: 'get',
      operationId: names.operationId('read'),
      description: `Read the ${names.kindText}.`,
      parameters: [...parameters, prettyParameter],
      responses: { 200: contentOf(['text/plain', ...types.objects], { type: 'string' }) },
      action: 'get',
      kind: { group, version, kind },
    };
    return [['', [readLog]]];
  }
  const connectOperation = (method: Method, suffix = ''): OperationSpec => ({
    method,
    operationId: names.operationId('connect', { prefix: capitalized(method), suffix }),
    description: `Connect to the ${names.kindText}.`,
    parameters,
    responses: { 200: anyContent },
    action: 'connect',
    kind: { group, version, kind },
  });
  // A subresource that accepts DELETE proxies every method.
  if (!verbs.includes('delete')) return [['', [connectOperation('get'), connectOperation('post')]]];
  return [
    ['', methods.map((method) => connectOperation(method))],
    ['/{path}', methods.map((method) => connectOperation(method, 'WithPath'))],
  ];
}
