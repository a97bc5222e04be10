// The default ServiceCIDR, from the configured service ranges.
import type { ServiceCIDR } from '../../apis/networking/servicecidr.ts';
import { type Cidr, formatCidr } from '../../base/cidr.ts';
import { timestamp } from '../../base/clock.ts';
import { ApiError } from '../../errors/status.ts';
import { decodeStored } from '../../kind/storage/codec.ts';
import type { Api } from '../../registry/api.ts';
import { plainWrite } from '../../registry/options/write-options.ts';
import type { Target } from '../../registry/target.ts';
import { apply } from '../../registry/verbs/apply.ts';
import { create } from '../../registry/verbs/create.ts';
import { update } from '../../registry/verbs/update.ts';

/**
 * Creates the default ServiceCIDR if it is missing, and adds a second IP family. Other changes of the configured
 * ranges have no effect, as Services have IPs of the existing range. Returns a warning for the operator then.
 */
export async function ensureDefaultServiceCidr(
  api: Api,
  ranges: readonly Cidr[],
): Promise<string | undefined> {
  const { dialect, registry, store } = api;
  const resource = registry.kind(dialect.groupName('networking'), 'v1', 'servicecidrs');
  const name = dialect.apiServiceName;
  const target: Target = { resource, namespace: '', name, subresource: '' };
  const cidrs = ranges.map(formatCidr);
  const stored = store.get(resource.key('', name));
  if (!stored) {
    await createRange(api, target, cidrs);
    return undefined;
  }
  const read = () => decodeStored(resource, stored) as ServiceCIDR;
  const { cidrs: there = [] } = read().spec;
  if (there.join() === cidrs.join()) return undefined;
  if (there.length === 1 && there[0] === cidrs[0]) {
    await update(api, target, () => ({ object: { ...read(), spec: { cidrs } } }), plainWrite, []);
    return undefined;
  }
  return `ServiceCIDR ${name} has ${there.join()} instead of ${cidrs.join()}: cluster IPs are allocated from ${there.join()}`;
}

async function createRange(api: Api, target: Target, cidrs: string[]): Promise<void> {
  const { resource, name } = target;
  const range: ServiceCIDR = {
    apiVersion: resource.apiVersion,
    kind: resource.kind,
    metadata: { name },
    spec: { cidrs },
    status: {},
  };
  try {
    await create(api, { ...target, name: '' }, { object: range }, plainWrite, []);
  } catch (error) {
    // Another replica created it concurrently.
    if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error;
  }
  await setReadyCondition(api, target);
}

/** Sets the Ready condition with the field manager of upstream's controller. */
async function setReadyCondition(api: Api, target: Target): Promise<void> {
  const { dialect, clock } = api;
  const { resource, name } = target;
  const ready = {
    type: 'Ready',
    status: 'True',
    lastTransitionTime: timestamp(clock),
    message: `${dialect.title} default Service CIDR is ready`,
  };
  const value = {
    apiVersion: resource.apiVersion,
    kind: resource.kind,
    metadata: { name },
    status: { conditions: [ready] },
  };
  const manager = `${dialect.apiServiceName}-service-cidr-controller`;
  const status = { ...target, subresource: 'status' };
  await apply(api, status, { value, duplicateKeys: [] }, { ...plainWrite, manager, force: true }, []);
}
