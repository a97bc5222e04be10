import { type Cidr, cidrText } from '../api/meta/cidr.ts';
import type { ServiceCIDR } from '../api/networking/servicecidr.ts';
import { ApiError } from '../errors/status.ts';
import type { Api } from '../resource/api.ts';
import { create } from '../resource/create.ts';
import { plainWrite } from '../resource/options/write-options.ts';
import { timestamp } from '../resource/time.ts';

/** Makes the ServiceCIDR of the ranges that the server was told to serve from, if it is missing. */
export async function ensureDefaultServiceCidr(api: Api, ranges: readonly Cidr[]): Promise<void> {
  const { dialect, registry, store, clock } = api;
  const resource = registry.kind(dialect.groupName('networking'), 'v1', 'servicecidrs');
  const name = dialect.apiServiceName;
  if (store.get(resource.key('', name))) return;
  const ready = {
    type: 'Ready',
    status: 'True',
    lastTransitionTime: timestamp(clock),
    reason: '',
    message: `${dialect.title} default Service CIDR is ready`,
  };
  const range: ServiceCIDR = {
    apiVersion: resource.apiVersion,
    kind: resource.kind,
    metadata: { name },
    spec: { cidrs: ranges.map(cidrText) },
    status: { conditions: [ready] },
  };
  try {
    await create(api, { resource, namespace: '', name: '', subresource: '' }, range, plainWrite, []);
  } catch (error) {
    // Another replica may have been faster.
    if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error;
  }
}
