// endpointslice-controller: publishes the pods that a Service selects in its EndpointSlices.
import type { Pod } from '../../apis/core/pod.ts';
import { isReady } from '../../apis/core/pod-conditions.ts';
import type { Service } from '../../apis/core/service.ts';
import type { Endpoint, EndpointSlice } from '../../apis/discovery/endpointslice.ts';
import type { IpFamily } from '../../base/ip-address.ts';
import type { Manifest } from '../../client/client.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import type { Lister } from '../../client/lister.ts';
import { ApiError } from '../../errors/status.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import {
  addressesOf,
  hasEndpoint,
  hostnameOf,
  isHeadless,
  portsOf,
  targetOf,
} from '../serviceendpoints/pod-endpoint.ts';
import { ServicePodsController } from '../serviceendpoints/service-pods-controller.ts';
import { controllerReference } from '../workload/controller-reference.ts';
import { OwnerEvents } from '../workload/owner-events.ts';
import { isNamespaceTerminating, messageOf } from '../workload/pod-control.ts';
import { type EndpointGroup, planSlices, type SliceContent } from './slice-plan.ts';

const endpointSlices = { group: 'discovery', version: 'v1', resource: 'endpointslices' } as const;
const nodes = { group: '', version: 'v1', resource: 'nodes' } as const;

export class EndpointSliceController extends ServicePodsController {
  readonly #slices: Informer<EndpointSlice>;
  readonly #nodes: Lister<unknown>;
  readonly #events: OwnerEvents;
  readonly #stopped = new AbortController();

  constructor(context: ControllerContext) {
    super(context, 'endpoint_slice');
    const { informers, events } = context;
    const enqueue = (slice: InformerObject<EndpointSlice>) => {
      for (const key of this.#servicesOf(slice)) this.queue.add(key);
    };
    this.#slices = informers.informer<EndpointSlice>(
      endpointSlices,
      {
        onUpdate: (oldSlice, newSlice) => {
          enqueue(oldSlice);
          enqueue(newSlice);
        },
        onDelete: enqueue,
      },
      { service: (slice) => this.#servicesOf(slice) },
    );
    this.#nodes = informers.lister(nodes);
    this.#events = new OwnerEvents(events, this.services.resource, 'endpoint-slice-controller');
  }

  override start(): void {
    this.#slices.start();
    super.start();
  }

  override reset(): void {
    this.#slices.reset();
    super.reset();
  }

  override async close(): Promise<void> {
    this.#stopped.abort();
    this.#slices.close();
    await super.close();
  }

  /** The key of the Service whose slice this controller manages. */
  #servicesOf({ namespace, labels }: InformerObject<EndpointSlice>): string[] {
    const { labels: names, endpointSliceControllerName } = this.context.dialect;
    const service = labels.get(names.serviceName);
    const isOwn = labels.get(names.endpointSliceManagedBy) === endpointSliceControllerName;
    return isOwn && service ? [`${namespace}/${service}`] : [];
  }

  /** The slices of a Service that is gone are garbage-collected. */
  protected async reconcile(key: string, service: Service | undefined): Promise<void> {
    await this.#slices.hasSynced;
    const pods = service && this.podsOf(service);
    if (!service || !pods || service.metadata.deletionTimestamp) return;
    try {
      await this.#reconcileService(key, service, pods.filter(hasEndpoint));
    } catch (error) {
      if (isNamespaceTerminating(error)) return;
      const isConcurrentChange = error instanceof ApiError && (error.code === 404 || error.code === 409);
      if (!isConcurrentChange) {
        const { namespace, name } = service.metadata;
        const message = `Error updating Endpoint Slices for Service ${namespace}/${name}: ${messageOf(error)}`;
        this.#events.record(service.metadata, 'Warning', 'FailedToUpdateEndpointSlices', message);
      }
      throw error;
    }
  }

  async #reconcileService(key: string, service: Service, pods: readonly Pod[]): Promise<void> {
    const slices = this.#slices
      .byIndex('service', key)
      .flatMap((slice) => slice.tryDecode() ?? [])
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const { uid } = service.metadata;
    const families = familiesOf(service);
    const isOwned = ({ metadata }: EndpointSlice) =>
      metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.kind === 'Service') ?? false;
    const isUsable = (slice: EndpointSlice) =>
      isOwned(slice) && (families as readonly string[]).includes(slice.addressType);
    const missingNodes = new Set<string>();
    for (const family of families) {
      const groups = pods.flatMap((pod) => this.#groupOf(service, pod, family, missingNodes));
      const existing = slices.filter((slice) => isUsable(slice) && slice.addressType === family);
      const { toCreate, toUpdate, toDelete } = planSlices(groups, existing, this.#labelsOf(service));
      for (const content of toCreate) await this.#create(service, family, content);
      for (const { slice, content } of toUpdate) await this.#update(slice, content);
      for (const slice of toDelete) await this.#delete(slice);
    }
    for (const slice of slices.filter((candidate) => !isUsable(candidate))) await this.#delete(slice);
    // Retried, because the node may appear.
    const [node] = missingNodes;
    if (node !== undefined) throw new Error(`skipping Pod for Service ${key}: Node ${node} Not Found`);
  }

  /** The endpoint of a pod with its ports; none if it has no address of the family, or its node is unknown. */
  #groupOf(service: Service, pod: Pod, family: IpFamily, missingNodes: Set<string>): EndpointGroup[] {
    const addresses = addressesOf(pod, family);
    if (addresses.length === 0) return [];
    const { nodeName = '' } = pod.spec;
    const node = this.#nodes.get('', nodeName);
    const { publishNotReadyAddresses = false } = service.spec;
    if (!node && !publishNotReadyAddresses) {
      missingNodes.add(nodeName);
      return [];
    }
    const serving = isReady(pod.status);
    const terminating = pod.metadata.deletionTimestamp !== undefined;
    const zone = node?.labels.get(this.context.dialect.labels.topology[0] ?? '');
    const hostname = hostnameOf(pod, service);
    const endpoint: Endpoint = {
      addresses,
      conditions: { ready: publishNotReadyAddresses || (serving && !terminating), serving, terminating },
      targetRef: targetOf(pod),
      ...(nodeName !== '' && { nodeName }),
      ...(zone && { zone }),
      ...(hostname !== undefined && { hostname }),
    };
    return [{ ports: portsOf(service, pod), endpoints: [endpoint] }];
  }

  /** The labels of the Service, and those that are reserved for slices. */
  #labelsOf(service: Service): Record<string, string> {
    const { labels, endpointSliceControllerName } = this.context.dialect;
    const { [labels.headlessService]: _, ...own } = service.metadata.labels ?? {};
    return {
      ...own,
      ...(isHeadless(service) && { [labels.headlessService]: '' }),
      [labels.serviceName]: service.metadata.name ?? '',
      [labels.endpointSliceManagedBy]: endpointSliceControllerName,
    };
  }

  async #create(service: Service, addressType: IpFamily, content: SliceContent): Promise<void> {
    const { client, identity } = this.context;
    const { apiVersion, kind } = this.#slices.resource;
    const { labels, ports, endpoints } = content;
    const { name = '', namespace = '' } = service.metadata;
    const manifest = {
      apiVersion,
      kind,
      metadata: {
        generateName: `${name}-`,
        namespace,
        labels,
        ownerReferences: [controllerReference(this.services.resource, service.metadata)],
      },
      addressType,
      ports,
      endpoints,
    };
    await client.create(manifest as unknown as Manifest, identity, this.#slices);
  }

  /** A slice that is gone, or that another client has changed, is planned again. */
  async #update({ metadata }: EndpointSlice, { labels, ports, endpoints }: SliceContent): Promise<void> {
    const { client, identity } = this.context;
    await client.mutate(
      this.#slices,
      `${metadata.namespace}/${metadata.name}`,
      (latest) => {
        latest.metadata.uid = metadata.uid!;
        latest.metadata.labels = { ...labels };
        latest.ports = [...ports];
        latest.endpoints = [...endpoints];
      },
      identity,
    );
  }

  async #delete({ metadata }: EndpointSlice): Promise<void> {
    const { client, identity } = this.context;
    const { namespace, name, uid = '' } = metadata;
    const caller = { user: identity.user, signal: this.#stopped.signal };
    await client.deleteByKey(this.#slices, `${namespace}/${name}`, { preconditions: { uid } }, caller);
  }
}

/** The address types of the slices of a Service. */
function familiesOf({ spec }: Service): IpFamily[] {
  const { ipFamilies = [] } = spec;
  return ipFamilies.length > 0 ? (ipFamilies as IpFamily[]) : ['IPv4'];
}
