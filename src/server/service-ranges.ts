import { readCidr } from '../base/cidr.ts';
import type { ServiceRanges } from '../registry/service/service-allocation.ts';
import type { ServerOptions } from './options.ts';

/** The ranges that the options name. */
export function serviceRanges(options: ServerOptions): ServiceRanges {
  const clusterIps = options.serviceClusterIpRange.map((text) => {
    const range = readCidr(text);
    if (!range) throw new Error(`${JSON.stringify(text)} is not a CIDR`);
    return range;
  });
  return { clusterIps, nodePorts: options.serviceNodePortRange };
}
