import type { Service } from '../../apis/core/service.ts';
import type { IPAddress, ParentReference } from '../../apis/networking/ipaddress.ts';
import { type Ip, ipText } from '../../base/ip-address.ts';
import { userKeyed } from '../../codec/json/json-value.ts';
import { ApiError } from '../../errors/status.ts';
import { plainDelete } from '../../kind/delete-options.ts';
import { tryDecodeStored } from '../../kind/storage/codec.ts';
import type { Api } from '../api.ts';
import { plainWrite } from '../options/write-options.ts';
import type { Target } from '../target.ts';
import { create } from '../verbs/create.ts';
import { deleteObject } from '../verbs/delete.ts';
import type { Claim } from './cluster-ips.ts';

/** The service that an address is kept for. */
interface Holder {
  readonly namespace?: string;
  readonly name?: string;
}

/** Writes down that the service has an address: an IPAddress of that name refers to it. */
export function claimFor(api: Api, holder: Holder): Claim {
  return async (ip) => {
    try {
      await create(api, addressTarget(api), { object: addressObject(api, ip, holder) }, plainWrite, []);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'AlreadyExists') return false;
      throw error;
    }
  };
}

function addressObject({ dialect }: Api, ip: Ip, { namespace = '', name = '' }: Holder): IPAddress {
  const labels = userKeyed<string>();
  labels[dialect.labels.ipAddressFamily] = ip.family;
  labels[dialect.labels.ipAddressManagedBy] = dialect.ipAllocatorName;
  return {
    apiVersion: dialect.apiVersion('networking', 'v1'),
    kind: 'IPAddress',
    metadata: { name: ipText(ip), labels },
    spec: { parentRef: { group: '', resource: 'services', namespace, name } },
  };
}

/** Deletes the objects that keep these addresses for the service. */
export async function giveBack(api: Api, holder: Holder, names: readonly string[]): Promise<void> {
  const target = addressTarget(api);
  await Promise.all(
    names
      .filter((name) => isKeptFor(api, holder, name))
      .map((name) => removeIfThere(api, { ...target, name })),
  );
}

/** Whether the object that keeps an address keeps it for this service. */
export function isKeptFor(api: Api, holder: Holder, name: string): boolean {
  const { resource } = addressTarget(api);
  const stored = api.store.get(resource.key('', name));
  const object = stored && (tryDecodeStored(resource, stored) as IPAddress | undefined);
  const parent = object?.spec.parentRef;
  if (!parent || !isService(parent)) return false;
  return parent.namespace === holder.namespace && parent.name === holder.name;
}

export const isService = ({ group, resource }: ParentReference) => resource === 'services' && !group;

/** Deletes an object that keeps an address, and no other that has come in its place. */
export async function removeAddress(api: Api, name: string, uid: string): Promise<void> {
  try {
    const preconditions = { uid };
    await deleteObject(api, { ...addressTarget(api), name }, { ...plainDelete, preconditions });
  } catch (error) {
    if (!(error instanceof ApiError && (error.code === 404 || error.code === 409))) throw error;
  }
}

/** The endpoints of a service that is gone must not be found by another of its name. */
export async function forgetEndpoints(api: Api, { metadata }: Service): Promise<void> {
  const { namespace = '', name = '' } = metadata;
  const resource = api.registry.kind('', 'v1', 'endpoints');
  await removeIfThere(api, { resource, namespace, name, subresource: '' });
}

async function removeIfThere(api: Api, target: Target): Promise<void> {
  try {
    await deleteObject(api, target, plainDelete);
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === 'NotFound')) throw error;
  }
}

function addressTarget({ registry, dialect }: Api): Target {
  const resource = registry.kind(dialect.groupName('networking'), 'v1', 'ipaddresses');
  return { resource, namespace: '', name: '', subresource: '' };
}
