import type { Random } from '../random.ts';
import type { ObservedObject, RunRecord } from '../record.ts';
import type { Collection } from './collections.ts';

/** The state that all participants of a run share. */
export class Stage {
  readonly storage: 'lmdb' | 'etcd';
  readonly record: RunRecord;
  readonly #urls: readonly string[];
  readonly #known = new Map<string, ObservedObject | undefined>();
  /** Writers and readers continue while this is true. */
  isOn = true;

  constructor(storage: 'lmdb' | 'etcd', urls: readonly string[], record: RunRecord) {
    this.storage = storage;
    this.#urls = urls;
    this.record = record;
  }

  get servers(): number {
    return this.#urls.length;
  }

  urlOf(server: number): string {
    return this.#urls[server]!;
  }

  pickServer(random: Random): number {
    return random.between(0, this.#urls.length - 1);
  }

  /** The last observed state of an object; it may be outdated. */
  known({ name: collection }: Collection, name: string): ObservedObject | undefined {
    return this.#known.get(`${collection}/${name}`);
  }

  learn({ name: collection }: Collection, name: string, object: ObservedObject | undefined): void {
    this.#known.set(`${collection}/${name}`, object);
  }
}
