// ServiceCIDRs: the address ranges that cluster IPs are allocated from.
import { assignableRange, type Cidr, parseCidr } from '../../base/cidr.ts';
import type { Ip, IpFamily } from '../../base/ip-address.ts';
import { Reflector } from '../../store/reflector.ts';
import type { Store, StoredObject } from '../../store/store.ts';

/** The CIDRs of every ServiceCIDR object that is ready and not being deleted. */
export class ServiceCidrs {
  readonly #byKey = new Map<string, readonly Cidr[]>();
  readonly #reflector: Reflector;

  constructor(store: Store) {
    this.#reflector = new Reflector(store, 'servicecidrs', {
      add: (object) => this.#byKey.set(object.key, cidrsOf(object)),
      remove: ({ key }) => this.#byKey.delete(key),
      clear: () => this.#byKey.clear(),
    });
  }

  /** The ranges of a family, in the order in which addresses are allocated from them. */
  rangesOf(family: IpFamily): Cidr[] {
    this.#reflector.sync();
    return [...this.#byKey.values()].flat().filter((range) => range.family === family);
  }

  reset(): void {
    this.#reflector.reset();
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
    // An undecodable ServiceCIDR has no ranges.
    return [];
  }
}

export function isAssignable(range: Cidr, { family, value }: Ip): boolean {
  const { first, last } = assignableRange(range);
  return range.family === family && value >= first && value <= last;
}
