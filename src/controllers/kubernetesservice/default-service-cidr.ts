// The default ServiceCIDR, from the configured service ranges.
import type { ServiceCIDR } from '../../apis/networking/servicecidr.ts';
import { type Cidr, formatCidr } from '../../base/cidr.ts';
import { type Clock, timestamp } from '../../base/clock.ts';
import type { Client } from '../../client/client.ts';
import type { Lister } from '../../client/lister.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { ApiError } from '../../errors/status.ts';

export interface ServiceCidrContext {
  readonly client: Client;
  readonly serviceCidrs: Lister<ServiceCIDR>;
  readonly dialect: Dialect;
  readonly clock: Clock;
}

/**
 * Creates the default ServiceCIDR if it is missing, and adds a second IP family. Other changes of the configured
 * ranges have no effect, as Services have IPs of the existing range. Returns a warning for the operator then.
 */
export async function ensureDefaultServiceCidr(
  context: ServiceCidrContext,
  ranges: readonly Cidr[],
): Promise<string | undefined> {
  const { client, serviceCidrs, dialect } = context;
  const name = dialect.apiServiceName;
  const cidrs = ranges.map(formatCidr);
  const existing = serviceCidrs.get('', name);
  if (!existing) {
    await createServiceCidr(context, name, cidrs);
    return undefined;
  }
  const decoded = existing.tryDecode();
  if (!decoded) return `ServiceCIDR ${name} is corrupt: no cluster IPs are allocated from it`;
  const { cidrs: current = [] } = decoded.spec;
  if (current.join() === cidrs.join()) return undefined;
  const addsSecondFamily = current.length === 1 && current[0] === cidrs[0];
  if (addsSecondFamily) {
    await client.mutate(serviceCidrs, name, (object) => {
      object.spec = { cidrs };
    });
    return undefined;
  }
  return `ServiceCIDR ${name} has ${current.join()} instead of ${cidrs.join()}: cluster IPs are allocated from ${current.join()}`;
}

async function createServiceCidr(context: ServiceCidrContext, name: string, cidrs: string[]): Promise<void> {
  const { client, serviceCidrs } = context;
  const { apiVersion, kind } = serviceCidrs.resource;
  try {
    await client.create({ apiVersion, kind, metadata: { name }, spec: { cidrs } }, {}, serviceCidrs);
  } catch (error) {
    // Another replica created it concurrently.
    if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error;
  }
  await setReadyCondition(context, name);
}

/** Sets the Ready condition with the field manager of upstream's controller. */
async function setReadyCondition(context: ServiceCidrContext, name: string): Promise<void> {
  const { client, serviceCidrs, dialect, clock } = context;
  const { apiVersion, kind } = serviceCidrs.resource;
  const ready = {
    type: 'Ready',
    status: 'True',
    lastTransitionTime: timestamp(clock),
    message: `${dialect.title} default Service CIDR is ready`,
  };
  const configuration = { apiVersion, kind, metadata: { name }, status: { conditions: [ready] } };
  const manager = `${dialect.apiServiceName}-service-cidr-controller`;
  await client.apply(serviceCidrs, configuration, { subresource: 'status', manager });
}
