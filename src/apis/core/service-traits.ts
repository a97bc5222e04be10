import type { Service } from './service.ts';

/** It has no address of its own: whoever asks gets the addresses of its pods. */
export const isHeadless = ({ spec }: Service) =>
  spec.clusterIPs?.length === 1 && spec.clusterIPs[0] === 'None';

/** It lives inside the cluster, with an address or expressly without. */
export const hasClusterIp = ({ spec }: Service) =>
  spec.type === 'ClusterIP' || spec.type === 'NodePort' || spec.type === 'LoadBalancer';

/** It may have ports on nodes. */
export const mayHaveNodePorts = ({ spec }: Service) =>
  spec.type === 'NodePort' || spec.type === 'LoadBalancer';

/** Ports that name no node port get one. */
export const wantsNodePorts = ({ spec }: Service) =>
  spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && (spec.allocateLoadBalancerNodePorts ?? true));

export const isLoadBalancer = ({ spec }: Service) => spec.type === 'LoadBalancer';

/** Load balancers ask nodes whether they have endpoints of it. */
export const hasHealthCheck = ({ spec }: Service) =>
  spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';

export const isReachableFromOutside = ({ spec }: Service) =>
  spec.type === 'LoadBalancer' ||
  spec.type === 'NodePort' ||
  (spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0);

const sameList = (one: readonly unknown[] = [], other: readonly unknown[] = []) =>
  one.length === other.length && one.every((value, i) => value === other[i]);

export const sameClusterIps = ({ spec: one }: Service, { spec: other }: Service) =>
  sameList(one.clusterIPs, other.clusterIPs);

export const sameIpFamilies = ({ spec: one }: Service, { spec: other }: Service) =>
  sameList(one.ipFamilies, other.ipFamilies);
