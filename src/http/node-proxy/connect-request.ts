// The options of a connect request (PodExecOptions, PodProxyOptions, …) as the object that admission sees.
import type { ApiObject } from '../../kind/api-object.ts';
import type { ServedKind } from '../../kind/registry.ts';
import { booleanParameter } from '../../registry/options/query.ts';

/** The query of a connect request, and for a proxy the path behind it. */
export interface ConnectRequest {
  readonly query: URLSearchParams;
  readonly path: string;
}

const streams = ['stdin', 'stdout', 'stderr', 'tty'];

/** The request as its options kind, for admission. */
export function asOptions({ kind, apiVersion }: ServedKind, { query, path }: ConnectRequest): ApiObject {
  const said: Record<string, unknown> = {};
  for (const stream of streams) if (booleanParameter(query, stream)) said[stream] = true;
  const container = query.get('container');
  if (container) said.container = container;
  const command = query.getAll('command');
  if (command.length > 0) said.command = command;
  const ports = query.getAll('ports').flatMap((text) => text.split(','));
  if (ports.length > 0) said.ports = ports.map(Number);
  const isProxy = kind.endsWith('ProxyOptions');
  return { kind, apiVersion, metadata: {}, ...(isProxy ? path && { path } : said) } as ApiObject;
}

/** The request after admission has changed its options. */
export function fromOptions(object: ApiObject): ConnectRequest {
  const { path = '', container, command = [], ports = [], ...flags } = object as Partial<SaidOptions>;
  const query = new URLSearchParams();
  for (const stream of streams) {
    if ((flags as Record<string, unknown>)[stream]) query.append(stream, 'true');
  }
  if (container) query.append('container', container);
  for (const word of command) query.append('command', word);
  for (const port of ports) query.append('ports', String(port));
  return { query, path };
}

interface SaidOptions {
  readonly path: string;
  readonly container: string;
  readonly command: readonly string[];
  readonly ports: readonly number[];
}
