// Names in certificates.
import { hostname } from 'node:os';

/** Every name and address this server may be reached by: from here, from the network, and from inside the cluster. */
export function servingNames(bindAddress: string, apiServiceName: string): string[] {
  const inCluster = ['', '.default', '.default.svc', '.default.svc.cluster.local'];
  const names = [
    'localhost',
    '127.0.0.1',
    '::1',
    hostname(),
    ...inCluster.map((domain) => `${apiServiceName}${domain}`),
  ];
  if (bindAddress !== '0.0.0.0' && bindAddress !== '::') names.push(bindAddress);
  return [...new Set(names)];
}
