// The pods that the selectors of autoscalers match.
import type { Pod } from '../../apis/core/pod.ts';
import type { Informer } from '../../client/informer.ts';
import type { Informers } from '../../client/informers.ts';
import { type LabelRequirement, matchesLabels } from '../../selectors/label-selector.ts';
import { labelIndexValues } from '../workload/selector-index.ts';
import { requiredLabel } from './label-index.ts';

const pods = { group: '', version: 'v1', resource: 'pods' } as const;

/** Follows pods from the first use on: without autoscalers it costs nothing. */
export class PodIndex {
  readonly #pods: Informer<Pod>;
  #isStarted = false;

  constructor(informers: Informers) {
    this.#pods = informers.informer<Pod>(
      pods,
      {},
      { label: ({ namespace, labels }) => labelIndexValues(namespace, labels) },
    );
  }

  reset(): void {
    this.#pods.reset();
    this.#isStarted = false;
  }

  close(): void {
    this.#pods.close();
  }

  /** In the order of their names. */
  async select(namespace: string, selector: readonly LabelRequirement[]): Promise<Pod[]> {
    if (!this.#isStarted) this.#pods.start();
    this.#isStarted = true;
    await this.#pods.hasSynced;
    const label = requiredLabel(namespace, selector);
    const keys =
      label === undefined ? this.#pods.keys(namespace) : [...this.#pods.keysByIndex('label', label)];
    return keys
      .sort()
      .flatMap((key) => this.#pods.getByKey(key) ?? [])
      .filter(({ labels }) => matchesLabels(selector, labels))
      .flatMap((pod) => pod.tryDecodeLazily() ?? []);
  }
}
