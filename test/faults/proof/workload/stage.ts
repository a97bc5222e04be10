import type { Random } from '../random.ts';
import type { RunRecord, Shown } from '../record.ts';
import type { Collection } from './collections.ts';

/** What those who take part in a run have in common. */
export class Stage {
  readonly storage: 'lmdb' | 'etcd';
  readonly record: RunRecord;
  readonly #urls: readonly string[];
  readonly #known = new Map<string, Shown | undefined>();
  /** Writers and readers go on as long as this is so. */
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

  /** What somebody has last been told of an object; it need not be so any more. */
  known({ name: collection }: Collection, name: string): Shown | undefined {
    return this.#known.get(`${collection}/${name}`);
  }

  learn({ name: collection }: Collection, name: string, object: Shown | undefined): void {
    this.#known.set(`${collection}/${name}`, object);
  }
}
