// endpointslice-controller: publishes the pods that a Service selects in its EndpointSlices.
import type { Pod } from '../../apis/core/pod.ts';
import { isReady } from '../../apis/core/pod-conditions.ts';
import type { Service } from '../../apis/core/service.ts';
import type { Endpoint, EndpointHints, EndpointSlice } from '../../apis/discovery/endpointslice.ts';
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
import { allocateHints } from './topology-hints.ts';
import { ZoneCapacity } from './zone-capacity.ts';

const endpointSlices = { group: 'discovery', version: 'v1', resource: 'endpointslices' } as const;
const nodes = { group: '', version: 'v1', resource: 'nodes' } as const;

export class EndpointSliceController extends ServicePodsController {
  readonly #slices: Informer<EndpointSlice>;
  readonly #nodes: Lister<unknown>;
  readonly #events: OwnerEvents;
  readonly #capacity: ZoneCapacity;
  /** Keys of the Services with topology aware routing, and whether they have hints. */
  readonly #topologyAware = new Map<string, boolean>();
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
    this.#capacity = new ZoneCapacity(context, () => {
      for (const key of this.#topologyAware.keys()) this.queue.add(key);
    });
    this.#events = new OwnerEvents(events, this.services.resource, 'endpoint-slice-controller');
  }

  override start(): void {
    this.#slices.start();
    this.#capacity.start();
    super.start();
  }

  override reset(): void {
    this.#topologyAware.clear();
    this.#slices.reset();
    this.#capacity.reset();
    super.reset();
  }

  override async close(): Promise<void> {
    this.#stopped.abort();
    this.#slices.close();
    this.#capacity.close();
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
    if (!service) this.#topologyAware.delete(key);
    if (!service || !pods || service.metadata.deletionTimestamp) return;
    try {
      const triggerTime = this.triggerTimes.next(key, service, pods);
      await this.#reconcileService(key, service, pods.filter(hasEndpoint), triggerTime);
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

  async #reconcileService(
    key: string,
    service: Service,
    pods: readonly Pod[],
    triggerTime: string | undefined,
  ): Promise<void> {
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
    const problems: string[] = [];
    for (const family of families) {
      const groups = this.#withTopologyHints(
        key,
        service,
        family,
        pods.flatMap((pod) => this.#groupOf(service, pod, family, problems)),
      );
      const existing = slices.filter((slice) => isUsable(slice) && slice.addressType === family);
      const { toCreate, toUpdate, toDelete } = planSlices(groups, existing, this.#labelsOf(service));
      for (const content of toCreate) await this.#create(service, family, content, triggerTime);
      for (const { slice, content } of toUpdate) await this.#update(slice, content, triggerTime);
      for (const slice of toDelete) await this.#delete(slice);
    }
    for (const slice of slices.filter((candidate) => !isUsable(candidate))) await this.#delete(slice);
    // Retried, because the node may appear.
    const [problem, ...more] = problems;
    if (problem !== undefined) throw new Error(more.length === 0 ? problem : `[${problems.join(', ')}]`);
  }

  /** The endpoint of a pod with its ports; none if it has no address of the family, or its node is unknown. */
  #groupOf(service: Service, pod: Pod, family: IpFamily, problems: string[]): EndpointGroup[] {
    const addresses = addressesOf(pod, family);
    if (addresses.length === 0) return [];
    const { nodeName = '' } = pod.spec;
    const node = this.#nodes.get('', nodeName);
    const { publishNotReadyAddresses = false } = service.spec;
    if (!node && !publishNotReadyAddresses) {
      const { name, namespace } = service.metadata;
      const subject = `Pod ${pod.metadata.name} for Service ${namespace}/${name}`;
      problems.push(`skipping ${subject}: Node ${nodeName} Not Found`);
      return [];
    }
    const serving = isReady(pod.status);
    const terminating = pod.metadata.deletionTimestamp !== undefined;
    const zone = node?.labels.get(this.context.dialect.labels.zone);
    const hostname = hostnameOf(pod, service);
    const ready = publishNotReadyAddresses || (serving && !terminating);
    const hints = ready ? this.#hintsOf(service, zone, nodeName) : undefined;
    const endpoint: Endpoint = {
      addresses,
      conditions: { ready, serving, terminating },
      targetRef: targetOf(pod),
      ...(nodeName !== '' && { nodeName }),
      ...(zone && { zone }),
      ...(hostname !== undefined && { hostname }),
      ...(hints && { hints }),
    };
    return [{ ports: portsOf(service, pod), endpoints: [endpoint] }];
  }

  /** Topology aware routing: hints that share the ready endpoints between zones. */
  #withTopologyHints(
    key: string,
    service: Service,
    family: IpFamily,
    groups: readonly EndpointGroup[],
  ): readonly EndpointGroup[] {
    const hadHints = this.#topologyAware.get(key) ?? false;
    if (!this.#isTopologyAware(service)) {
      this.#topologyAware.delete(key);
      if (hadHints) this.#recordNoHints(service, family, 'Topology Aware Hints has been disabled');
      return groups;
    }
    const ready = groups.flatMap(({ endpoints }) => endpoints.filter(({ conditions }) => conditions?.ready));
    const allocation = allocateHints(ready, this.#capacity.ratios());
    const hasHints = 'zones' in allocation;
    this.#topologyAware.set(key, hasHints);
    if (!hasHints) {
      this.#recordNoHints(service, family, allocation.problem);
      return groups;
    }
    if (!hadHints) {
      const message = `Topology Aware Hints has been enabled, addressType: ${family}`;
      this.#events.record(service.metadata, 'Normal', 'TopologyAwareHintsEnabled', message);
    }
    const zoneOf = new Map(ready.map((endpoint, index) => [endpoint, allocation.zones[index]!]));
    const withHints = (endpoint: Endpoint): Endpoint => {
      const zone = zoneOf.get(endpoint);
      return zone === undefined ? endpoint : { ...endpoint, hints: { forZones: [{ name: zone }] } };
    };
    return groups.map(({ ports, endpoints }) => ({ ports, endpoints: endpoints.map(withHints) }));
  }

  #recordNoHints({ metadata }: Service, family: IpFamily, problem: string): void {
    const message = `${problem}, addressType: ${family}`;
    this.#events.record(metadata, 'Warning', 'TopologyAwareHintsDisabled', message);
  }

  #isTopologyAware({ metadata }: Service): boolean {
    const { topologyMode, topologyAwareHints } = this.context.dialect.annotations;
    const { annotations = {} } = metadata;
    return ['Auto', 'auto'].includes(annotations[topologyAwareHints] ?? annotations[topologyMode] ?? '');
  }

  /** Topology hints for spec.trafficDistribution: the traffic of a zone, or of a node, is to stay there. */
  #hintsOf(service: Service, zone: string | undefined, nodeName: string): EndpointHints | undefined {
    const { trafficDistribution = '' } = service.spec;
    if (this.#isTopologyAware(service)) return undefined;
    const isGated = this.context.features.enabled('PreferSameTrafficDistribution');
    const forNode = isGated && trafficDistribution === 'PreferSameNode' && nodeName !== '';
    const isClose =
      trafficDistribution === 'PreferClose' ||
      (isGated && ['PreferSameZone', 'PreferSameNode'].includes(trafficDistribution));
    if (!isClose || (!zone && !forNode)) return undefined;
    return {
      ...(zone && { forZones: [{ name: zone }] }),
      ...(forNode && { forNodes: [{ name: nodeName }] }),
    };
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

  async #create(
    service: Service,
    addressType: IpFamily,
    content: SliceContent,
    triggerTime: string | undefined,
  ): Promise<void> {
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
        annotations: this.#withTriggerTime({}, triggerTime),
        ownerReferences: [controllerReference(this.services.resource, service.metadata)],
      },
      addressType,
      ports,
      endpoints,
    };
    await client.create(manifest as unknown as Manifest, identity, this.#slices);
  }

  /** A slice that is gone, or that another client has changed, is planned again. */
  async #update(
    { metadata }: EndpointSlice,
    { labels, ports, endpoints }: SliceContent,
    triggerTime: string | undefined,
  ): Promise<void> {
    const { client, identity } = this.context;
    await client.mutate(
      this.#slices,
      `${metadata.namespace}/${metadata.name}`,
      (latest) => {
        latest.metadata.uid = metadata.uid!;
        latest.metadata.labels = { ...labels };
        latest.metadata.annotations = this.#withTriggerTime(latest.metadata.annotations, triggerTime);
        latest.ports = [...ports];
        latest.endpoints = [...endpoints];
      },
      identity,
    );
  }

  #withTriggerTime(
    annotations: Readonly<Record<string, string>> = {},
    triggerTime: string | undefined,
  ): Record<string, string> {
    const { lastChangeTriggerTime } = this.context.dialect.annotations;
    const { [lastChangeTriggerTime]: _old, ...others } = annotations;
    return { ...others, ...(triggerTime !== undefined && { [lastChangeTriggerTime]: triggerTime }) };
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
