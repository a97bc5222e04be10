// What endpoints of a Service take from a pod (upstream: k8s.io/endpointslice/util).
import type { Container } from '../../apis/core/container.ts';
import type { Pod } from '../../apis/core/pod.ts';
import { isReady } from '../../apis/core/pod-conditions.ts';
import type { Service } from '../../apis/core/service.ts';
import { type IpFamily, parseIp } from '../../base/ip-address.ts';

type ServicePort = NonNullable<Service['spec']['ports']>[number];

/** A pod that has finished, or has no address yet, has no endpoint. */
export function hasEndpoint({ status }: Pod): boolean {
  return status.phase !== 'Succeeded' && status.phase !== 'Failed' && podIps(status).length > 0;
}

/** The addresses of a pod of one IP family. */
export function addressesOf({ status }: Pod, family: IpFamily): string[] {
  return podIps(status).filter((ip) => parseIp(ip)?.family === family);
}

function podIps({ podIP, podIPs = [] }: Pod['status']): string[] {
  const ips = podIPs.map(({ ip }) => ip);
  return ips.length > 0 || !podIP ? ips : [podIP];
}

/** The reference to a pod in an endpoint. */
export function targetOf({ metadata }: Pod) {
  const { namespace = '', name = '', uid = '' } = metadata;
  return { kind: 'Pod', namespace, name, uid };
}

/** The host name of an endpoint: a pod of the subdomain that the Service is has one. */
export function hostnameOf({ metadata, spec }: Pod, service: Service): string | undefined {
  const isInSubdomain =
    spec.subdomain === service.metadata.name && metadata.namespace === service.metadata.namespace;
  return spec.hostname && isInSubdomain ? spec.hostname : undefined;
}

/** The port of a pod that a port of a Service stands for; undefined if the pod has no port of that name and protocol. */
function findPort({ spec }: Pod, { targetPort, protocol }: ServicePort): number | undefined {
  if (typeof targetPort === 'number') return targetPort;
  const { containers = [], initContainers = [] } = spec;
  const sidecars = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...containers, ...sidecars]
    .flatMap(({ ports = [] }: Container) => ports)
    .find((port) => port.name === targetPort && port.protocol === protocol)?.containerPort;
}

/** The ports of a Service that a pod has, with the numbers in the pod. */
export function portsOf({ spec }: Service, pod: Pod) {
  return (spec.ports ?? []).flatMap((servicePort) => {
    const port = findPort(pod, servicePort);
    const { name = '', protocol = 'TCP', appProtocol } = servicePort;
    return port === undefined
      ? []
      : [{ name, protocol, port, ...(appProtocol !== undefined && { appProtocol }) }];
  });
}

export const isHeadless = ({ spec }: Service) => !spec.clusterIP || spec.clusterIP === 'None';

/** The fields of a pod from which endpoints are made, for comparison. */
export function endpointFields({ metadata, spec, status }: Pod): string {
  const { labels = {}, deletionTimestamp } = metadata;
  const { nodeName, hostname, subdomain } = spec;
  const isFinished = status.phase === 'Succeeded' || status.phase === 'Failed';
  return JSON.stringify([
    Object.entries(labels).sort(),
    deletionTimestamp !== undefined,
    nodeName,
    hostname,
    subdomain,
    isFinished,
    isReady(status),
    podIps(status),
  ]);
}
