// endpointslice-mirroring-controller: mirrors the Endpoints of Services without a selector, which users maintain, to EndpointSlices.
import type { Endpoints } from '../../apis/core/endpoints.ts';
import type { Service } from '../../apis/core/service.ts';
import type { EndpointSlice } from '../../apis/discovery/endpointslice.ts';
import type { Manifest } from '../../client/client.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { controllerReference } from '../workload/controller-reference.ts';
import { OwnerEvents } from '../workload/owner-events.ts';
import { isNamespaceTerminating } from '../workload/pod-control.ts';
import { type MirroredSlice, type MirrorPlan, maxEndpointsPerSubset, planMirror } from './mirror-plan.ts';

const services = { group: '', version: 'v1', resource: 'services' } as const;
const endpoints = { group: '', version: 'v1', resource: 'endpoints' } as const;
const endpointSlices = { group: 'discovery', version: 'v1', resource: 'endpointslices' } as const;
const workers = 5;
/** The event source, as upstream spells it. */
const component = 'endpoint-slice-mirroring-controller';

export class EndpointSliceMirroringController implements Controller {
  readonly #context: ControllerContext;
  readonly #queue: WorkQueue;
  readonly #services: Informer<Service>;
  readonly #endpoints: Informer<Endpoints>;
  readonly #slices: Informer<EndpointSlice>;
  readonly #events: OwnerEvents;
  readonly #stopped = new AbortController();

  constructor(context: ControllerContext) {
    const { informers, newQueue, events } = context;
    this.#context = context;
    this.#queue = newQueue({
      name: 'endpoint_slice_mirroring',
      reconcile: (key) => this.#reconcile(key),
      workers,
    });
    const enqueue = ({ key }: { readonly key: string }) => this.#queue.add(key);
    this.#services = informers.informer<Service>(services, {
      onAdd: (service) => {
        if (!hasSelector(service)) enqueue(service);
      },
      onUpdate: (oldService, newService) => {
        if (hasSelector(oldService) !== hasSelector(newService)) enqueue(newService);
      },
      onDelete: (service) => {
        if (!hasSelector(service)) enqueue(service);
      },
    });
    this.#endpoints = informers.informer<Endpoints>(endpoints, {
      onAdd: enqueue,
      onUpdate: (_oldEndpoints, newEndpoints) => enqueue(newEndpoints),
      onDelete: enqueue,
      onReset: () => this.#queue.clear(),
    });
    const enqueueOwners = (slice: InformerObject<EndpointSlice>) => {
      for (const key of this.#ownersOf(slice)) this.#queue.add(key);
    };
    this.#slices = informers.informer<EndpointSlice>(
      endpointSlices,
      {
        onUpdate: (oldSlice, newSlice) => {
          enqueueOwners(oldSlice);
          enqueueOwners(newSlice);
        },
        onDelete: enqueueOwners,
      },
      { owner: (slice) => this.#ownersOf(slice) },
    );
    this.#events = new OwnerEvents(events, this.#endpoints.resource, component);
  }

  start(): void {
    this.#slices.start();
    this.#services.start();
    this.#endpoints.start();
  }

  reset(): void {
    this.#slices.reset();
    this.#services.reset();
    this.#endpoints.reset();
    this.start();
  }

  async close(): Promise<void> {
    this.#stopped.abort();
    this.#slices.close();
    this.#services.close();
    this.#endpoints.close();
    await this.#queue.close();
  }

  /** The key of the Endpoints that a slice mirrors. */
  #ownersOf({ namespace, labels }: InformerObject<EndpointSlice>): string[] {
    const { labels: names, endpointSliceMirroringControllerName } = this.#context.dialect;
    const service = labels.get(names.serviceName);
    const isOwn = labels.get(names.endpointSliceManagedBy) === endpointSliceMirroringControllerName;
    return isOwn && service ? [`${namespace}/${service}`] : [];
  }

  async #reconcile(key: string): Promise<void> {
    await this.#slices.hasSynced;
    const slices = this.#slices.byIndex('owner', key).flatMap((slice) => slice.tryDecode() ?? []);
    const mirrored = this.#mirroredEndpoints(key);
    if (!mirrored) {
      for (const slice of slices) await this.#delete(slice);
      return;
    }
    const labels = this.#labelsOf(mirrored);
    const annotations = this.#annotationsOf(mirrored);
    const plan = planMirror(mirrored, slices, labels, annotations);
    this.#reportOmissions(mirrored, plan);
    if (!mirrored.metadata.deletionTimestamp) {
      for (const content of plan.toCreate) await this.#create(mirrored, content, labels, annotations);
    }
    for (const { slice, content } of plan.toUpdate) {
      await this.#update(slice, mirrored, content, labels, annotations);
    }
    for (const slice of plan.toDelete) await this.#delete(slice);
  }

  /** Undefined if they do not exist, are not to be mirrored, or their Service is gone or has a selector. */
  #mirroredEndpoints(key: string): Endpoints | undefined {
    const { labels, annotations } = this.#context.dialect;
    const service = this.#services.getByKey(key);
    const found = this.#endpoints.getByKey(key)?.tryDecodeLazily();
    if (!found || !service || hasSelector(service)) return undefined;
    const isSkipped = found.metadata.labels?.[labels.endpointSliceSkipMirror] === 'true';
    const isLock = found.metadata.annotations?.[annotations.leaderElectionRecord] !== undefined;
    return isSkipped || isLock ? undefined : found;
  }

  #labelsOf({ metadata }: Endpoints): Record<string, string> {
    const { labels, endpointSliceMirroringControllerName } = this.#context.dialect;
    return {
      ...metadata.labels,
      [labels.serviceName]: metadata.name ?? '',
      [labels.endpointSliceManagedBy]: endpointSliceMirroringControllerName,
    };
  }

  #annotationsOf({ metadata }: Endpoints): Record<string, string> {
    const { lastChangeTriggerTime, lastAppliedConfiguration } = this.#context.dialect.annotations;
    const {
      [lastChangeTriggerTime]: _time,
      [lastAppliedConfiguration]: _applied,
      ...mirrored
    } = {
      ...metadata.annotations,
    };
    return mirrored;
  }

  #reportOmissions({ metadata }: Endpoints, { invalidAddresses, surplusAddresses }: MirrorPlan): void {
    if (invalidAddresses > 0) {
      const message = `Skipped ${invalidAddresses} invalid IP addresses when mirroring to EndpointSlices`;
      this.#events.record(metadata, 'Warning', 'InvalidIPAddress', message);
    }
    if (surplusAddresses > 0) {
      const skipped = invalidAddresses + surplusAddresses;
      const message = `A max of ${maxEndpointsPerSubset} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped} addresses were skipped`;
      this.#events.record(metadata, 'Warning', 'TooManyAddressesToMirror', message);
    }
  }

  async #create(
    { metadata }: Endpoints,
    content: MirroredSlice,
    labels: Record<string, string>,
    annotations: Record<string, string>,
  ): Promise<void> {
    const { client, identity } = this.#context;
    const { apiVersion, kind } = this.#slices.resource;
    const { name = '', namespace = '' } = metadata;
    const manifest = {
      apiVersion,
      kind,
      metadata: {
        generateName: `${name}-`,
        namespace,
        labels,
        annotations,
        ownerReferences: [controllerReference(this.#endpoints.resource, metadata)],
      },
      ...content,
    };
    try {
      await client.create(manifest as unknown as Manifest, identity, this.#slices);
    } catch (error) {
      if (!isNamespaceTerminating(error)) throw error;
    }
  }

  async #update(
    { metadata }: EndpointSlice,
    owner: Endpoints,
    { ports, endpoints: mirrored }: MirroredSlice,
    labels: Record<string, string>,
    annotations: Record<string, string>,
  ): Promise<void> {
    const { client, identity } = this.#context;
    const change = (latest: EndpointSlice) => {
      latest.metadata.uid = metadata.uid!;
      latest.metadata.labels = { ...labels };
      latest.metadata.annotations = { ...annotations };
      latest.metadata.ownerReferences = [controllerReference(this.#endpoints.resource, owner.metadata)];
      latest.ports = [...ports];
      latest.endpoints = [...mirrored];
    };
    await client.mutate(this.#slices, `${metadata.namespace}/${metadata.name}`, change, identity);
  }

  async #delete({ metadata }: EndpointSlice): Promise<void> {
    const { client, identity } = this.#context;
    const { namespace, name, uid = '' } = metadata;
    const caller = { user: identity.user, signal: this.#stopped.signal };
    await client.deleteByKey(this.#slices, `${namespace}/${name}`, { preconditions: { uid } }, caller);
  }
}

function hasSelector(service: InformerObject<Service>): boolean {
  return Object.keys(service.tryDecodeLazily()?.spec.selector ?? {}).length > 0;
}
