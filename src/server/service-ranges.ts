// Services: parses the configured ranges of cluster IPs and node ports.
import { parseCidr } from '../base/cidr.ts';
import type { ServiceOptions } from '../registry/service/options.ts';
import type { ServiceRanges } from '../registry/service/service-allocation.ts';

/** Throws on a range that is not a CIDR. */
export function serviceRanges(options: ServiceOptions): ServiceRanges {
  const clusterIps = options.serviceClusterIpRange.map((text) => {
    const range = parseCidr(text);
    if (!range) throw new Error(`${JSON.stringify(text)} is not a CIDR`);
    return range;
  });
  return { clusterIps, nodePorts: options.serviceNodePortRange };
}
