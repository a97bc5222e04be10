// The selectors of all autoscalers, to find pods that more than one autoscaler would scale.
import type { Pod } from '../../apis/core/pod.ts';
import { type LabelRequirement, matchesLabels } from '../../selectors/label-selector.ts';
import { labelIndexValues } from '../workload/selector-index.ts';
import { requiredLabel } from './label-index.ts';

interface RegisteredSelector {
  readonly text: string;
  readonly requirements: readonly LabelRequirement[];
  readonly indexValue: string;
}

export class SelectorRegistry {
  /** By the key of the autoscaler. */
  readonly #selectors = new Map<string, RegisteredSelector>();
  /** Keys of autoscalers by a label that their selector requires, or by namespace if it requires none. */
  readonly #byIndexValue = new Map<string, Set<string>>();

  set(key: string, namespace: string, text: string, requirements: readonly LabelRequirement[]): void {
    if (this.#selectors.get(key)?.text === text) return;
    this.delete(key);
    const indexValue = requiredLabel(namespace, requirements) ?? namespace;
    this.#selectors.set(key, { text, requirements, indexValue });
    const keys = this.#byIndexValue.get(indexValue) ?? new Set<string>();
    this.#byIndexValue.set(indexValue, keys.add(key));
  }

  delete(key: string): void {
    const selector = this.#selectors.get(key);
    if (!selector) return;
    this.#selectors.delete(key);
    const keys = this.#byIndexValue.get(selector.indexValue);
    keys?.delete(key);
    if (keys?.size === 0) this.#byIndexValue.delete(selector.indexValue);
  }

  clear(): void {
    this.#selectors.clear();
    this.#byIndexValue.clear();
  }

  /** The keys of the autoscalers whose selector matches one of these pods of a namespace, sorted. */
  selecting(namespace: string, pods: readonly Pod[]): string[] {
    const found = new Set<string>();
    for (const { metadata } of pods) {
      const labels = new Map(Object.entries(metadata.labels ?? {}));
      for (const indexValue of [namespace, ...labelIndexValues(namespace, labels)]) {
        for (const key of this.#byIndexValue.get(indexValue) ?? []) {
          if (!found.has(key) && matchesLabels(this.#selectors.get(key)!.requirements, labels))
            found.add(key);
        }
      }
    }
    return [...found].sort();
  }
}
