// ResourceQuota admission: a cache of the quotas by namespace, and of the resource names that they limit.
import type { ResourceQuota } from '../../../apis/core/resourcequota.ts';
import type { AdmissionContext } from '../../../registry/verb-context.ts';
import type { StoredObject } from '../../../store/store.ts';
import { ObjectsByNamespace } from '../../objects-by-namespace.ts';

export class QuotaCache extends ObjectsByNamespace<ResourceQuota> {
  readonly #onLimitsChange: () => void;
  /** The limited resource names, by the key of the quota. */
  readonly #limits = new Map<string, readonly string[]>();
  /** The union of `#limits`; undefined after a change. */
  #allLimits: ReadonlySet<string> | undefined;

  constructor(api: AdmissionContext) {
    super(api, 'resourcequotas');
    this.#onLimitsChange = () => api.admission.invalidateHandlesCache();
  }

  /** Whether any quota of any namespace limits a resource name that matches. */
  limitsAny(matches: (name: string) => boolean): boolean {
    if (!this.hasAny) return false;
    this.#allLimits ??= new Set([...this.#limits.values()].flat());
    for (const name of this.#allLimits) if (matches(name)) return true;
    return false;
  }

  override reset(): void {
    super.reset();
    this.#limits.clear();
    this.#allLimits = undefined;
  }

  protected override onChange(key: string, stored: StoredObject | undefined): void {
    const quota = stored && this.decode(stored);
    const names = Object.keys(quota?.spec?.hard ?? {});
    if (names.join() === this.#limits.get(key)?.join()) return;
    if (quota) this.#limits.set(key, names);
    else this.#limits.delete(key);
    this.#allLimits = undefined;
    this.#onLimitsChange();
  }
}
