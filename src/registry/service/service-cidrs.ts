// ServiceCIDRs: the address ranges that cluster IPs are allocated from.
import { assignableRange, type Cidr, parseCidr } from '../../base/cidr.ts';
import type { Ip, IpFamily } from '../../base/ip-address.ts';
import { Reflector } from '../../store/reflector.ts';
import type { Store, StoredObject } from '../../store/store.ts';

/** The CIDRs of every ServiceCIDR object that is ready and not being deleted. */
export class ServiceCidrs {
  readonly #byKey = new Map<string, readonly Cidr[]>();
  readonly #follower: Reflector;

  constructor(store: Store) {
    this.#follower = new Reflector(store, 'servicecidrs', {
      add: (object) => this.#byKey.set(object.key, cidrsOf(object)),
      remove: ({ key }) => this.#byKey.delete(key),
      clear: () => this.#byKey.clear(),
    });
  }

  /** In allocation order. */
  of(family: IpFamily): Cidr[] {
    this.#follower.sync();
    return [...this.#byKey.values()].flat().filter((range) => range.family === family);
  }

  reset(): void {
    this.#follower.reset();
  }
}

interface ServiceCidrJson {
  metadata: { deletionTimestamp?: string };
  spec?: { cidrs?: string[] };
  status?: { conditions?: { type: string; status: string }[] };
}

function cidrsOf({ json }: StoredObject): Cidr[] {
  try {
    const { metadata, spec, status } = JSON.parse(json.toString()) as ServiceCidrJson;
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    // Without a Ready condition a ServiceCIDR is used: the controller that sets the condition may not run.
    if (metadata.deletionTimestamp || (ready && ready.status !== 'True')) return [];
    return (spec?.cidrs ?? []).flatMap((text) => parseCidr(text) ?? []);
  } catch {
    return [];
  }
}

export function isAssignable(range: Cidr, { family, value }: Ip): boolean {
  const { first, last } = assignableRange(range);
  return range.family === family && value >= first && value <= last;
}
