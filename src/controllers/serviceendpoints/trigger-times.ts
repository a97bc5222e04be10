// The change of a Service or pod to which the endpoints of a Service react, for the annotation last-change-trigger-time (upstream:
// TriggerTimeTracker).
import type { Pod } from '../../apis/core/pod.ts';
import type { Service } from '../../apis/core/service.ts';

interface SeenTimes {
  readonly service: string;
  /** By name of the pod. */
  readonly pods: ReadonlyMap<string, string>;
}

/** Times are metav1.Time in UTC, so that their texts are ordered. */
export class TriggerTimes {
  /** By key of the Service, the times of the last reconciliation. */
  readonly #seen = new Map<string, SeenTimes>();

  /** The earliest time of what changed since the last call; undefined if nothing did. The first time is the Service's creation. */
  next(key: string, { metadata }: Service, pods: readonly Pod[]): string | undefined {
    const seen = this.#seen.get(key);
    const service = metadata.creationTimestamp ?? '';
    const podTimes = new Map(pods.map((pod) => [pod.metadata.name!, readyTransition(pod)]));
    this.#seen.set(key, { service, pods: podTimes });
    if (!seen) return service || undefined;
    const changed = [...podTimes]
      .filter(([name, time]) => time > (seen.pods.get(name) ?? ''))
      .map(([, time]) => time);
    if (service > seen.service) changed.push(service);
    return changed.sort()[0];
  }

  delete(key: string): void {
    this.#seen.delete(key);
  }

  clear(): void {
    this.#seen.clear();
  }
}

/** When the pod became ready or not ready; '' if that is unknown. */
const readyTransition = ({ status }: Pod) =>
  status.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime ?? '';
