// IPAddress objects: each records the Service that a cluster IP is allocated to.
import type { Service } from '../../apis/core/service.ts';
import { type IPAddress, isServiceReference } from '../../apis/networking/ipaddress.ts';
import { formatIp, type Ip } from '../../base/ip-address.ts';
import { nullPrototypeObject } from '../../codec/json/json-value.ts';
import { ApiError } from '../../errors/status.ts';
import { defaultDeleteOptions } from '../../kind/delete-options.ts';
import { tryDecodeStored } from '../../kind/storage/codec.ts';
import { defaultWriteOptions } from '../options/write-options.ts';
import type { Target } from '../target.ts';
import type { VerbContext } from '../verb-context.ts';
import { create } from '../verbs/create.ts';
import { deleteObject } from '../verbs/delete.ts';
import type { ClaimIp } from './cluster-ips.ts';

/** The Service in the parentRef of an IPAddress. */
interface ServiceReference {
  readonly namespace?: string;
  readonly name?: string;
}

/** Allocates addresses to the Service by creating IPAddress objects whose parentRef names it. */
export function claimIpFor(api: VerbContext, service: ServiceReference): ClaimIp {
  return async (ip) => {
    try {
      await create(
        api,
        ipAddressTarget(api),
        { object: ipAddressObject(api, ip, service) },
        defaultWriteOptions,
        [],
      );
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'AlreadyExists') return false;
      throw error;
    }
  };
}

function ipAddressObject(
  { dialect }: VerbContext,
  ip: Ip,
  { namespace = '', name = '' }: ServiceReference,
): IPAddress {
  const labels = nullPrototypeObject<string>();
  labels[dialect.labels.ipAddressFamily] = ip.family;
  labels[dialect.labels.ipAddressManagedBy] = dialect.ipAllocatorName;
  return {
    apiVersion: dialect.apiVersion('networking', 'v1'),
    kind: 'IPAddress',
    metadata: { name: formatIp(ip), labels },
    spec: { parentRef: { group: '', resource: 'services', namespace, name } },
  };
}

/** Deletes the IPAddress objects of these names whose parentRef is the Service. */
export async function releaseIps(
  api: VerbContext,
  service: ServiceReference,
  names: readonly string[],
): Promise<void> {
  const target = ipAddressTarget(api);
  await Promise.all(
    names
      .filter((name) => isAllocatedTo(api, service, name))
      .map((name) => deleteIfExists(api, { ...target, name })),
  );
}

/** Whether the parentRef of the IPAddress of this name is the Service. */
export function isAllocatedTo(api: VerbContext, service: ServiceReference, name: string): boolean {
  const { resource } = ipAddressTarget(api);
  const stored = api.store.get(resource.key('', name));
  const object = stored && (tryDecodeStored(resource, stored) as IPAddress | undefined);
  const parent = object?.spec.parentRef;
  if (!parent || !isServiceReference(parent)) return false;
  return parent.namespace === service.namespace && parent.name === service.name;
}

/** Deletes an IPAddress with a uid precondition, so that one created since under the same name stays. */
export async function deleteIpAddress(api: VerbContext, name: string, uid: string): Promise<void> {
  try {
    const preconditions = { uid };
    await deleteObject(api, { ...ipAddressTarget(api), name }, { ...defaultDeleteOptions, preconditions });
  } catch (error) {
    if (!(error instanceof ApiError && (error.code === 404 || error.code === 409))) throw error;
  }
}

/** Deletes the Endpoints of a deleted Service, so that a new Service of the same name does not inherit them. */
export async function deleteEndpoints(api: VerbContext, { metadata }: Service): Promise<void> {
  const { namespace = '', name = '' } = metadata;
  const resource = api.registry.kind('', 'v1', 'endpoints');
  await deleteIfExists(api, { resource, namespace, name, subresource: '' });
}

async function deleteIfExists(api: VerbContext, target: Target): Promise<void> {
  try {
    await deleteObject(api, target, defaultDeleteOptions);
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === 'NotFound')) throw error;
  }
}

function ipAddressTarget({ registry, dialect }: VerbContext): Target {
  const resource = registry.kind(dialect.groupName('networking'), 'v1', 'ipaddresses');
  return { resource, namespace: '', name: '', subresource: '' };
}
