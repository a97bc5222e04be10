// OpenAPI operations of the connect subresources: exec, attach, portforward, proxy.
import { connectOptions } from '../../apis/core/connect-options.ts';
import type { Subresource } from '../../kind/definition.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { type Method, methods } from './document.ts';
import { contentOf, type MediaTypes } from './media-types.ts';
import { capitalized, type OperationNames } from './operation-names.ts';
import type { Endpoint } from './operations.ts';
import { pretty, queryParameters } from './parameters.ts';

/** The operations of a connect subresource, by path suffix. */
export function connectionEndpoints(
  resource: ServedResource,
  { verbs, connect }: Subresource,
  names: OperationNames,
  types: MediaTypes,
): readonly (readonly [below: string, endpoints: readonly Endpoint[]])[] {
  const { group, version } = resource;
  const kind = connect?.kind ?? '';
  const options = connectOptions[kind];
  const parameters = options ? queryParameters(options) : [];
  const anyText = contentOf(['*/*'], { type: 'string' });
  if (kind === resource.kind) {
    const log: Endpoint = {
      method: 'get',
      operationId: names.of('read'),
      description: `Read the ${names.what}.`,
      parameters: [...parameters, pretty],
      answers: { 200: contentOf(['text/plain', ...types.objects], { type: 'string' }) },
      action: 'get',
      kind: { group, version, kind },
    };
    return [['', [log]]];
  }
  const connecting = (method: Method, after = ''): Endpoint => ({
    method,
    operationId: names.of('connect', { before: capitalized(method), after }),
    description: `Connect to the ${names.what}.`,
    parameters,
    answers: { 200: anyText },
    action: 'connect',
    kind: { group, version, kind },
  });
  // A subresource that accepts DELETE proxies every method.
  if (!verbs.includes('delete')) return [['', [connecting('get'), connecting('post')]]];
  return [
    ['', methods.map((method) => connecting(method))],
    ['/{path}', methods.map((method) => connecting(method, 'WithPath'))],
  ];
}
