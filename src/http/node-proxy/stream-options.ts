// PodExecOptions, PodAttachOptions and PodPortForwardOptions in the kubelet's query parameters.
import { badRequest } from '../../errors/catalogue.ts';
import { booleanParameter } from '../../registry/options/query.ts';

/** The kubelet's query for exec and attach, with its question mark. */
export function streamQuery(query: URLSearchParams, takesCommand: boolean): string {
  const asked = new URLSearchParams();
  if (takesCommand) for (const word of query.getAll('command')) asked.append('command', word);
  const streams: [ours: string, kubelets: string][] = [
    ['stderr', 'error'],
    ['stdin', 'input'],
    ['stdout', 'output'],
    ['tty', 'tty'],
  ];
  for (const [ours, kubelets] of streams) {
    if (booleanParameter(query, ours)) asked.append(kubelets, '1');
  }
  return asked.size > 0 ? `?${asked}` : '';
}

/** The kubelet's query for portforward. */
export function portQuery(query: URLSearchParams): string {
  const ports = query.getAll('ports').flatMap((text) => text.split(','));
  for (const port of ports) {
    const problem = !/^[0-9]+$/.test(port)
      ? 'invalid syntax'
      : Number(port) > 65_535
        ? 'value out of range'
        : undefined;
    if (problem) {
      const shown = JSON.stringify(port);
      throw badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${shown}: ${problem}`);
    }
  }
  return ports.length > 0 ? `?${new URLSearchParams({ port: ports.map(Number).join(',') })}` : '';
}
