// Service: predicates on type, clusterIPs and traffic policy.
import type { ServiceParts } from './service-spec.ts';

/** Headless: clusterIP is None, and DNS resolves to the pods' addresses. */
export const isHeadless = ({ spec }: ServiceParts) =>
  spec.clusterIPs?.length === 1 && spec.clusterIPs[0] === 'None';

/** Types that have a clusterIP or are headless (`None`). */
export const hasClusterIp = ({ spec }: ServiceParts) =>
  spec.type === 'ClusterIP' || spec.type === 'NodePort' || spec.type === 'LoadBalancer';

export const mayHaveNodePorts = ({ spec }: ServiceParts) =>
  spec.type === 'NodePort' || spec.type === 'LoadBalancer';

/** Whether the server allocates missing nodePorts. */
export const needsNodePorts = ({ spec }: ServiceParts) =>
  spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && (spec.allocateLoadBalancerNodePorts ?? true));

export const isLoadBalancer = ({ spec }: ServiceParts) => spec.type === 'LoadBalancer';

/** Whether the service has a healthCheckNodePort, where load balancers ask nodes for local endpoints. */
export const needsHealthCheckNodePort = ({ spec }: ServiceParts) =>
  spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';

export const isExternallyAccessible = ({ spec }: ServiceParts) =>
  spec.type === 'LoadBalancer' ||
  spec.type === 'NodePort' ||
  (spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0);

const isSameList = (a: readonly unknown[] = [], b: readonly unknown[] = []) =>
  a.length === b.length && a.every((value, i) => value === b[i]);

export const hasSameClusterIps = ({ spec: a }: ServiceParts, { spec: b }: ServiceParts) =>
  isSameList(a.clusterIPs, b.clusterIPs);

export const hasSameIpFamilies = ({ spec: a }: ServiceParts, { spec: b }: ServiceParts) =>
  isSameList(a.ipFamilies, b.ipFamilies);
