import { type Cidr, lastOf, readCidr } from '../../base/cidr.ts';
import type { Ip, IpFamily } from '../../base/ip-address.ts';
import { Reflector } from '../../store/reflector.ts';
import type { Store, StoredObject } from '../../store/store.ts';

/** The ranges that services get their addresses from: those of every ServiceCIDR that is ready. */
export class AddressRanges {
  readonly #byKey = new Map<string, readonly Cidr[]>();
  readonly #follower: Reflector;

  constructor(store: Store) {
    this.#follower = new Reflector(store, 'servicecidrs', {
      add: (object) => this.#byKey.set(object.key, rangesOf(object)),
      remove: ({ key }) => this.#byKey.delete(key),
      clear: () => this.#byKey.clear(),
    });
  }

  /** In the order in which addresses are taken from them. */
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

function rangesOf({ json }: StoredObject): Cidr[] {
  try {
    const { metadata, spec, status } = JSON.parse(json.toString()) as ServiceCidrJson;
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    // A range that nobody has spoken about may be used: the controller that does need not run.
    if (metadata.deletionTimestamp || (ready && ready.status !== 'True')) return [];
    return (spec?.cidrs ?? []).flatMap((text) => readCidr(text) ?? []);
  } catch {
    return [];
  }
}

/** The first and last address of a range that a service may have: not the network itself, not the broadcast address. */
export function usable(range: Cidr): { first: bigint; last: bigint } {
  return { first: range.network + 1n, last: lastOf(range) - (range.family === 'IPv4' ? 1n : 0n) };
}

export function isUsable(range: Cidr, { family, value }: Ip): boolean {
  const { first, last } = usable(range);
  return range.family === family && value >= first && value <= last;
}
