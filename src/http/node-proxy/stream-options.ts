// PodExecOptions, PodAttachOptions and PodPortForwardOptions in the kubelet's query parameters.
import { badRequest } from '../../errors/catalogue.ts';
import { booleanParameter } from '../../registry/options/query.ts';

/** The kubelet's query for exec and attach, with its question mark. */
export function streamQuery(query: URLSearchParams, subresource: 'exec' | 'attach'): string {
  const kubeletQuery = new URLSearchParams();
  if (subresource === 'exec')
    for (const word of query.getAll('command')) kubeletQuery.append('command', word);
  const streams: [name: string, kubeletName: string][] = [
    ['stderr', 'error'],
    ['stdin', 'input'],
    ['stdout', 'output'],
    ['tty', 'tty'],
  ];
  for (const [name, kubeletName] of streams) {
    if (booleanParameter(query, name)) kubeletQuery.append(kubeletName, '1');
  }
  return kubeletQuery.size > 0 ? `?${kubeletQuery}` : '';
}

/** The kubelet's query for portforward, with its question mark. Throws 400 for an invalid port. */
export function portQuery(query: URLSearchParams): string {
  const ports = query.getAll('ports').flatMap((text) => text.split(','));
  for (const port of ports) {
    const problem = portProblem(port);
    if (problem) {
      const quoted = JSON.stringify(port);
      throw badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${quoted}: ${problem}`);
    }
  }
  return ports.length > 0 ? `?${new URLSearchParams({ port: ports.map(Number).join(',') })}` : '';
}

/** The error of Go's strconv.ParseUint for 16 bits; undefined for a valid port. */
function portProblem(port: string): string | undefined {
  if (!/^[0-9]+$/.test(port)) return 'invalid syntax';
  return Number(port) > 65_535 ? 'value out of range' : undefined;
}
