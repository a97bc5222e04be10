// ResourceQuota admission: a cache of the quotas and of the resource names that they limit.
import type { ResourceQuota } from '../../../apis/core/resourcequota.ts';
import type { Api } from '../../../registry/api.ts';
import type { StoredObject } from '../../../store/store.ts';
import { ObjectsByNamespace } from '../../objects-by-namespace.ts';

/** The quotas there are, and what they limit, in step with the log. */
export class Quotas extends ObjectsByNamespace<ResourceQuota> {
  readonly #reconsider: () => void;
  /** The limited resource names, by the key of the quota. */
  readonly #limits = new Map<string, readonly string[]>();
  /** All of that; undefined once it has to be put together again. */
  #limited: ReadonlySet<string> | undefined;

  constructor(api: Api) {
    super(api, 'resourcequotas');
    this.#reconsider = () => api.admission.reconsider();
  }

  /** Whether any quota limits something that goes by such a name. */
  limitsAny(isMeant: (name: string) => boolean): boolean {
    if (!this.any) return false;
    this.#limited ??= new Set([...this.#limits.values()].flat());
    for (const name of this.#limited) if (isMeant(name)) return true;
    return false;
  }

  override reset(): void {
    super.reset();
    this.#limits.clear();
    this.#limited = undefined;
  }

  protected override noticed(key: string, stored: StoredObject | undefined): void {
    const quota = stored && this.glance(stored);
    const names = Object.keys(quota?.spec?.hard ?? {});
    if (names.join() === this.#limits.get(key)?.join()) return;
    if (quota) this.#limits.set(key, names);
    else this.#limits.delete(key);
    this.#limited = undefined;
    this.#reconsider();
  }
}
