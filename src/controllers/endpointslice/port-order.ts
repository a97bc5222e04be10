// EndpointSlice controller: upstream's order of ports, which is that of MD5 digests of their fields as Go's spew library prints them
// (upstream: NewPortMapKey).
import { createHash } from 'node:crypto';
import type { EndpointPort } from '../../apis/discovery/endpointslice.ts';

export function sortSlicePorts(ports: readonly EndpointPort[]): readonly EndpointPort[] {
  if (ports.length < 2) return ports;
  return ports
    .map((port) => [digestOf(port), port] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, port]) => port);
}

function digestOf({ name = '', protocol, port, appProtocol }: EndpointPort): string {
  const pointer = (type: string, value: unknown) => `(*${type})${value ?? '<nil>'}`;
  const text = `(v1.EndpointPort){Name:${pointer('string', name)} Protocol:${pointer('v1.Protocol', protocol)} Port:${pointer('int32', port)} AppProtocol:${pointer('string', appProtocol)}}`;
  return createHash('md5').update(text).digest('hex');
}
