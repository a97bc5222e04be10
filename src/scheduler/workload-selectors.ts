// The selectors of the workload of a pod: its Services, and its ReplicaSet, StatefulSet or ReplicationController. Pods without
// topology spread constraints spread by them.
import type { ReplicaSet } from '../apis/apps/replicaset.ts';
import type { StatefulSet } from '../apis/apps/statefulset.ts';
import { compileSelector, type LabelMatcher, selectorRequirements } from '../apis/core/compiled-selectors.ts';
import type { ReplicationController } from '../apis/core/replicationcontroller.ts';
import type { Service } from '../apis/core/service.ts';
import type { Informer } from '../client/informer.ts';
import type { InformerObject } from '../client/informer-object.ts';
import type { Informers } from '../client/informers.ts';
import type { Lister } from '../client/lister.ts';
import type { LabelSelector } from '../kind/meta/label-selector.ts';
import type { LabelRequirement } from '../selectors/label-selector.ts';
import type { PendingPod } from './cache/pod-info.ts';

interface ServiceSelector {
  readonly requirements: readonly LabelRequirement[];
  readonly matches: LabelMatcher;
}

export class WorkloadSelectors {
  readonly informer: Informer<Service>;
  /** By namespace and key. */
  readonly #services = new Map<string, Map<string, ServiceSelector>>();
  readonly #replicaSets: Lister<ReplicaSet>;
  readonly #statefulSets: Lister<StatefulSet>;
  readonly #replicationControllers: Lister<ReplicationController>;

  constructor(informers: Informers) {
    const apps = { group: 'apps', version: 'v1' } as const;
    const core = { group: '', version: 'v1' } as const;
    this.#replicaSets = informers.lister({ ...apps, resource: 'replicasets' });
    this.#statefulSets = informers.lister({ ...apps, resource: 'statefulsets' });
    this.#replicationControllers = informers.lister({ ...core, resource: 'replicationcontrollers' });
    this.informer = informers.informer<Service>(
      { ...core, resource: 'services' },
      {
        onAdd: (service) => this.#set(service),
        onUpdate: (_old, service) => this.#set(service),
        onDelete: (service) => this.#delete(service),
        onReset: () => this.#services.clear(),
      },
    );
  }

  /** The requirements of all that select the pod; none if nothing does. */
  requirementsFor({ namespace, labels, metadata }: PendingPod): readonly LabelRequirement[] {
    const services = [...(this.#services.get(namespace)?.values() ?? [])].filter(({ matches }) =>
      matches(labels),
    );
    const owner = metadata.ownerReferences?.find(({ controller }) => controller);
    const selector = owner && this.#controllerSelector(namespace, owner);
    return [
      ...services.flatMap(({ requirements }) => requirements),
      ...((selector && selectorRequirements(selector)) ?? []),
    ];
  }

  #controllerSelector(
    namespace: string,
    { apiVersion, kind, name }: { readonly apiVersion: string; readonly kind: string; readonly name: string },
  ): LabelSelector | undefined {
    switch (`${apiVersion} ${kind}`) {
      case 'apps/v1 ReplicaSet':
        return this.#replicaSets.get(namespace, name)?.tryDecodeLazily()?.spec.selector;
      case 'apps/v1 StatefulSet':
        return this.#statefulSets.get(namespace, name)?.tryDecodeLazily()?.spec.selector;
      case 'v1 ReplicationController': {
        const selector = this.#replicationControllers.get(namespace, name)?.tryDecodeLazily()?.spec.selector;
        return selector && { matchLabels: selector };
      }
      default:
        return undefined;
    }
  }

  #set(service: InformerObject<Service>): void {
    const selector = service.tryDecodeLazily()?.spec.selector;
    this.#delete(service);
    if (!selector || Object.keys(selector).length === 0) return;
    const { key, namespace } = service;
    const requirements = selectorRequirements({ matchLabels: selector }) ?? [];
    const services = this.#services.get(namespace) ?? new Map<string, ServiceSelector>();
    services.set(key, { requirements, matches: compileSelector({ matchLabels: selector }) });
    this.#services.set(namespace, services);
  }

  #delete({ key, namespace }: InformerObject<Service>): void {
    const services = this.#services.get(namespace);
    services?.delete(key);
    if (services?.size === 0) this.#services.delete(namespace);
  }
}
