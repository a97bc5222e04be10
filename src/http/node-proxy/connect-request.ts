// The options of a connect request (PodExecOptions, PodProxyOptions, …) as the object that admission sees.
import type { ApiObject } from '../../kind/api-object.ts';
import type { ServedKind } from '../../kind/registry.ts';
import { booleanParameter } from '../../registry/options/query.ts';

/** The query of a connect request, and for a proxy subresource the path that the backend gets. */
export interface ConnectRequest {
  readonly query: URLSearchParams;
  readonly path: string;
}

const streams = ['stdin', 'stdout', 'stderr', 'tty'];

/** The options object of a request, which admission reviews. */
export function toOptionsObject(
  { kind, apiVersion }: ServedKind,
  { query, path }: ConnectRequest,
): ApiObject {
  const options: Record<string, unknown> = {};
  for (const stream of streams) if (booleanParameter(query, stream)) options[stream] = true;
  const container = query.get('container');
  if (container) options.container = container;
  const command = query.getAll('command');
  if (command.length > 0) options.command = command;
  const ports = query.getAll('ports').flatMap((text) => text.split(','));
  if (ports.length > 0) options.ports = ports.map(Number);
  const isProxy = kind.endsWith('ProxyOptions');
  return { kind, apiVersion, metadata: {}, ...(isProxy ? path && { path } : options) } as ApiObject;
}

/** The request after admission has changed its options. */
export function fromOptionsObject(object: ApiObject): ConnectRequest {
  const { path = '', container, command = [], ports = [], ...flags } = object as Partial<ConnectOptions>;
  const query = new URLSearchParams();
  for (const stream of streams) {
    if ((flags as Record<string, unknown>)[stream]) query.append(stream, 'true');
  }
  if (container) query.append('container', container);
  for (const word of command) query.append('command', word);
  for (const port of ports) query.append('ports', String(port));
  return { query, path };
}

interface ConnectOptions {
  readonly path: string;
  readonly container: string;
  readonly command: readonly string[];
  readonly ports: readonly number[];
}
