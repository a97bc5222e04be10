// Endpoints controller: upstream's order of subsets and ports, which is that of MD5 digests of their fields as Go's spew library prints
// them (upstream: SortSubsets).
import { createHash } from 'node:crypto';
import type { EndpointAddress, Endpoints } from '../../apis/core/endpoints.ts';

type EndpointSubset = NonNullable<Endpoints['subsets']>[number];
type EndpointPort = NonNullable<EndpointSubset['ports']>[number];

export const sortPorts = (ports: readonly EndpointPort[]) =>
  sortByDigest(ports, (port) => typed('EndpointPort', portText(port)));

export const sortSubsets = (subsets: readonly EndpointSubset[]) =>
  sortByDigest(subsets, (subset) => typed('EndpointSubset', subsetText(subset)));

function sortByDigest<T>(items: readonly T[], textOf: (item: T) => string): T[] {
  if (items.length < 2) return [...items];
  return items
    .map((item) => [createHash('md5').update(textOf(item)).digest('hex'), item] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, item]) => item);
}

const typed = (type: string, text: string) => `(v1.${type})${text}`;
const pointer = (type: string, text: string | undefined) => `(*${type})${text ?? '<nil>'}`;
const listOf = (type: string, texts: readonly string[]) =>
  `([]v1.${type})${texts.length === 0 ? '<nil>' : `[${texts.join(' ')}]`}`;

const portText = ({ name = '', port, protocol, appProtocol }: EndpointPort) =>
  `{Name:(string)${name} Port:(int32)${port} Protocol:(v1.Protocol)${protocol} AppProtocol:${pointer('string', appProtocol)}}`;

function addressText({ ip, hostname = '', nodeName, targetRef }: EndpointAddress): string {
  const {
    kind = '',
    namespace = '',
    name = '',
    uid = '',
    apiVersion = '',
    resourceVersion = '',
    fieldPath = '',
  } = targetRef ?? {};
  const reference = `{Kind:(string)${kind} Namespace:(string)${namespace} Name:(string)${name} UID:(types.UID)${uid} APIVersion:(string)${apiVersion} ResourceVersion:(string)${resourceVersion} FieldPath:(string)${fieldPath}}`;
  return `{IP:(string)${ip} Hostname:(string)${hostname} NodeName:${pointer('string', nodeName)} TargetRef:${pointer('v1.ObjectReference', targetRef && reference)}}`;
}

const subsetText = ({ addresses = [], notReadyAddresses = [], ports = [] }: EndpointSubset) =>
  `{Addresses:${listOf('EndpointAddress', addresses.map(addressText))} NotReadyAddresses:${listOf(
    'EndpointAddress',
    notReadyAddresses.map(addressText),
  )} Ports:${listOf('EndpointPort', ports.map(portText))}}`;
