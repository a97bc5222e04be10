// Base of controllers that publish the endpoints of Services: follows Services and the pods that they select.
import type { Pod } from '../../apis/core/pod.ts';
import type { Service } from '../../apis/core/service.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import { labelSelectorMatches } from '../../kind/meta/label-selector-match.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { labelIndexValues, selectorIndexValues } from '../workload/selector-index.ts';
import { endpointFields } from './pod-endpoint.ts';
import { TriggerTimes } from './trigger-times.ts';

const services = { group: '', version: 'v1', resource: 'services' } as const;
const pods = { group: '', version: 'v1', resource: 'pods' } as const;

/** Queues the key of a Service when it changes, or a pod that it selects. Subclasses reconcile the keys. */
export abstract class ServicePodsController implements Controller {
  protected readonly context: ControllerContext;
  protected readonly queue: WorkQueue;
  protected readonly services: Informer<Service>;
  protected readonly triggerTimes = new TriggerTimes();
  readonly #pods: Informer<Pod>;

  constructor(context: ControllerContext, queueName: string) {
    const { informers, newQueue } = context;
    this.context = context;
    this.queue = newQueue({ name: queueName, workers: 5, reconcile: (key) => this.#reconcileSynced(key) });
    this.services = informers.informer<Service>(
      services,
      {
        onAdd: ({ key }) => this.queue.add(key),
        onUpdate: (_oldService, { key }) => this.queue.add(key),
        onDelete: ({ key }) => {
          this.triggerTimes.delete(key);
          this.queue.add(key);
        },
        onReset: () => {
          this.triggerTimes.clear();
          this.queue.clear();
        },
      },
      {
        selector: (service) => {
          const matchLabels = selectorOf(service.tryDecodeLazily());
          return matchLabels ? selectorIndexValues(service.namespace, { matchLabels }) : [];
        },
      },
    );
    this.#pods = informers.informer<Pod>(
      pods,
      {
        onAdd: (pod) => this.#enqueueServices(pod),
        onUpdate: (oldPod, newPod) => this.#onPodUpdate(oldPod, newPod),
        onDelete: (pod) => this.#enqueueServices(pod),
      },
      { label: ({ namespace, labels }) => labelIndexValues(namespace, labels) },
    );
  }

  start(): void {
    this.#pods.start();
    this.services.start();
  }

  reset(): void {
    this.#pods.reset();
    this.services.reset();
    this.start();
  }

  async close(): Promise<void> {
    this.#pods.close();
    this.services.close();
    await this.queue.close();
  }

  /** The Service is undefined if it is gone. */
  protected abstract reconcile(key: string, service: Service | undefined): Promise<void>;

  /** The pods that a Service selects, in the order of their names; undefined if its endpoints are not made from pods. */
  protected podsOf(service: Service): Pod[] | undefined {
    const matchLabels = selectorOf(service);
    if (!matchLabels) return undefined;
    const [value] = selectorIndexValues(service.metadata.namespace ?? '', { matchLabels });
    return this.#pods
      .byIndex('label', value!)
      .filter(({ labels }) => labelSelectorMatches({ matchLabels }, Object.fromEntries(labels)))
      .flatMap((pod) => pod.tryDecodeLazily() ?? [])
      .sort((a, b) => (a.metadata.name! < b.metadata.name! ? -1 : 1));
  }

  async #reconcileSynced(key: string): Promise<void> {
    await this.#pods.hasSynced;
    await this.reconcile(key, this.services.getByKey(key)?.tryDecodeLazily());
  }

  /** Most updates of a pod do not change its endpoints. */
  #onPodUpdate(oldPod: InformerObject<Pod>, newPod: InformerObject<Pod>): void {
    const [oldState, newState] = [oldPod.tryDecodeLazily(), newPod.tryDecodeLazily()];
    if (oldState && newState && endpointFields(oldState) === endpointFields(newState)) return;
    this.#enqueueServices(oldPod);
    this.#enqueueServices(newPod);
  }

  #enqueueServices({ namespace, labels }: InformerObject<Pod>): void {
    for (const value of labelIndexValues(namespace, labels)) {
      for (const key of this.services.keysByIndex('selector', value)) this.queue.add(key);
    }
  }
}

/** A Service without a selector, or of type ExternalName, has no endpoints that are made from pods. */
function selectorOf(service: Service | undefined): Record<string, string> | undefined {
  const { selector = {}, type } = service?.spec ?? {};
  return type !== 'ExternalName' && Object.keys(selector).length > 0 ? selector : undefined;
}
