import type { ServiceParts } from './service-spec.ts';

/** It has no address of its own: whoever asks gets the addresses of its pods. */
export const isHeadless = ({ spec }: ServiceParts) =>
  spec.clusterIPs?.length === 1 && spec.clusterIPs[0] === 'None';

/** It lives inside the cluster, with an address or expressly without. */
export const hasClusterIp = ({ spec }: ServiceParts) =>
  spec.type === 'ClusterIP' || spec.type === 'NodePort' || spec.type === 'LoadBalancer';

/** It may have ports on nodes. */
export const mayHaveNodePorts = ({ spec }: ServiceParts) =>
  spec.type === 'NodePort' || spec.type === 'LoadBalancer';

/** Ports that name no node port get one. */
export const wantsNodePorts = ({ spec }: ServiceParts) =>
  spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && (spec.allocateLoadBalancerNodePorts ?? true));

export const isLoadBalancer = ({ spec }: ServiceParts) => spec.type === 'LoadBalancer';

/** Load balancers ask nodes whether they have endpoints of it. */
export const hasHealthCheck = ({ spec }: ServiceParts) =>
  spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';

export const isReachableFromOutside = ({ spec }: ServiceParts) =>
  spec.type === 'LoadBalancer' ||
  spec.type === 'NodePort' ||
  (spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0);

const sameList = (one: readonly unknown[] = [], other: readonly unknown[] = []) =>
  one.length === other.length && one.every((value, i) => value === other[i]);

export const sameClusterIps = ({ spec: one }: ServiceParts, { spec: other }: ServiceParts) =>
  sameList(one.clusterIPs, other.clusterIPs);

export const sameIpFamilies = ({ spec: one }: ServiceParts, { spec: other }: ServiceParts) =>
  sameList(one.ipFamilies, other.ipFamilies);
