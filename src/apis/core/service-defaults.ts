// Service: defaults that depend on other fields (upstream: SetDefaults_Service).
import type { ServiceParts } from './service-spec.ts';
import { hasClusterIp, isExternallyAccessible } from './service-traits.ts';

const defaultClientIPTimeoutSeconds = 3 * 60 * 60;

export function setServiceDefaults(service: ServiceParts): void {
  const { spec, status } = service;
  spec.sessionAffinity ||= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (
    spec.sessionAffinity === 'ClientIP' &&
    spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined
  ) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: defaultClientIPTimeoutSeconds } };
  }
  spec.type ||= 'ClusterIP';
  for (const port of spec.ports ?? []) {
    if (!port.targetPort) port.targetPort = port.port;
  }
  if (isExternallyAccessible(service)) spec.externalTrafficPolicy ||= 'Cluster';
  if (hasClusterIp(service)) spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of status.loadBalancer.ingress ?? []) {
    if (ingress.ip) ingress.ipMode ??= 'VIP';
  }
}
