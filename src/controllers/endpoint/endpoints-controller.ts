// endpoints-controller: publishes the pods that a Service selects in its Endpoints.
import { type EndpointAddress, Endpoints } from '../../apis/core/endpoints.ts';
import type { Pod } from '../../apis/core/pod.ts';
import { isReady } from '../../apis/core/pod-conditions.ts';
import type { Service } from '../../apis/core/service.ts';
import { type IpFamily, parseIp } from '../../base/ip-address.ts';
import type { Manifest } from '../../client/client.ts';
import type { Informer } from '../../client/informer.ts';
import { isSemanticallyEqual } from '../../schema/semantic-equality.ts';
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
import { OwnerEvents } from '../workload/owner-events.ts';
import { isNamespaceTerminating, messageOf } from '../workload/pod-control.ts';
import { type PodAddress, packSubsets, truncateSubsets } from './endpoint-subsets.ts';

const endpoints = { group: '', version: 'v1', resource: 'endpoints' } as const;
/** The event source, and the value of the managed-by label. */
const component = 'endpoint-controller';

export class EndpointsController extends ServicePodsController {
  readonly #endpoints: Informer<Endpoints>;
  readonly #events: OwnerEvents;
  readonly #stopped = new AbortController();

  constructor(context: ControllerContext) {
    super(context, 'endpoint');
    const { informers, events, dialect } = context;
    this.#endpoints = informers.informer<Endpoints>(endpoints, {
      // Endpoints whose Service was deleted while no controller ran.
      onAdd: ({ key, labels }) => {
        if (labels.get(dialect.labels.endpointsManagedBy) === component) this.queue.add(key);
      },
      onDelete: ({ key }) => this.queue.add(key),
    });
    this.#events = new OwnerEvents(events, this.#endpoints.resource, component);
  }

  override start(): void {
    this.#endpoints.start();
    super.start();
  }

  override reset(): void {
    this.#endpoints.reset();
    super.reset();
  }

  override async close(): Promise<void> {
    this.#stopped.abort();
    this.#endpoints.close();
    await super.close();
  }

  protected async reconcile(key: string, service: Service | undefined): Promise<void> {
    if (!service) return this.#delete(key);
    const pods = this.podsOf(service);
    if (!pods) return;
    const triggerTime = this.triggerTimes.next(key, service, pods);
    const { publishNotReadyAddresses = false } = service.spec;
    const candidates = pods.filter(
      (pod) => hasEndpoint(pod) && (publishNotReadyAddresses || !pod.metadata.deletionTimestamp),
    );
    const all = packSubsets(candidates.flatMap((pod) => addressOf(service, pod)));
    const subsets = truncateSubsets(all);
    const current = this.#endpoints.getByKey(key)?.tryDecode();
    const desired = this.#withContent(service, current, [...subsets], subsets !== all);
    if (current && isSemanticallyEqual(Endpoints, desired, current)) return;
    await this.#write(service, this.#withTriggerTime(desired, triggerTime), current !== undefined);
  }

  /** Other annotations of existing Endpoints are kept. */
  #withContent(
    service: Service,
    current: Endpoints | undefined,
    subsets: NonNullable<Endpoints['subsets']>,
    isTruncated: boolean,
  ): Endpoints {
    const { labels, annotations } = this.context.dialect;
    const { name = '', namespace = '', labels: own = {} } = service.metadata;
    const { [labels.headlessService]: _label, ...serviceLabels } = own;
    const { [annotations.endpointsOverCapacity]: _annotation, ...kept } = current?.metadata.annotations ?? {};
    const { annotations: _annotations, ...metadata } = current?.metadata ?? { name, namespace };
    const newAnnotations = {
      ...kept,
      ...(isTruncated && { [annotations.endpointsOverCapacity]: 'truncated' }),
    };
    return {
      ...current,
      metadata: {
        ...metadata,
        labels: {
          ...serviceLabels,
          ...(isHeadless(service) && { [labels.headlessService]: '' }),
          [labels.endpointsManagedBy]: component,
        },
        ...(Object.keys(newAnnotations).length > 0 && { annotations: newAnnotations }),
      },
      subsets,
    } as Endpoints;
  }

  #withTriggerTime(desired: Endpoints, triggerTime: string | undefined): Endpoints {
    const { lastChangeTriggerTime } = this.context.dialect.annotations;
    const { [lastChangeTriggerTime]: _old, ...others } = desired.metadata.annotations ?? {};
    const annotations = {
      ...others,
      ...(triggerTime !== undefined && { [lastChangeTriggerTime]: triggerTime }),
    };
    return { ...desired, metadata: { ...desired.metadata, annotations } };
  }

  async #write(service: Service, desired: Endpoints, exists: boolean): Promise<void> {
    const { client, identity } = this.context;
    const { apiVersion, kind } = this.#endpoints.resource;
    const { namespace, name } = service.metadata;
    // Without managedFields the server updates those of the stored object.
    const { managedFields: _managedFields, ...metadata } = desired.metadata;
    const manifest = { ...desired, metadata, apiVersion, kind } as unknown as Manifest;
    try {
      if (exists) await client.update(manifest, identity, this.#endpoints);
      else await client.create(manifest, identity, this.#endpoints);
    } catch (error) {
      if (isNamespaceTerminating(error)) return;
      const [reason, message] = exists
        ? ['FailedToUpdateEndpoint', `Failed to update endpoint ${namespace}/${name}`]
        : ['FailedToCreateEndpoint', `Failed to create endpoint for service ${namespace}/${name}`];
      this.#events.record(desired.metadata, 'Warning', reason!, `${message}: ${messageOf(error)}`);
      throw error;
    }
  }

  async #delete(key: string): Promise<void> {
    const { client, identity } = this.context;
    const caller = { user: identity.user, signal: this.#stopped.signal };
    await client.deleteByKey(this.#endpoints, key, {}, caller);
  }
}

/** The address of a pod in the first IP family of a Service; none if the pod has no such address or none of the ports. */
function addressOf(service: Service, pod: Pod): PodAddress[] {
  const [ip] = addressesOf(pod, familyOf(service));
  const ports = portsOf(service, pod);
  const needsPorts = (service.spec.ports ?? []).length > 0 || !isHeadless(service);
  if (ip === undefined || (needsPorts && ports.length === 0)) return [];
  const { nodeName } = pod.spec;
  const hostname = hostnameOf(pod, service);
  const address: EndpointAddress = {
    ip,
    ...(hostname !== undefined && { hostname }),
    ...(nodeName && { nodeName }),
    targetRef: targetOf(pod),
  };
  const isPublished = service.spec.publishNotReadyAddresses === true || isReady(pod.status);
  return [{ address, isReady: isPublished, ports }];
}

function familyOf({ spec }: Service): IpFamily {
  const [family] = spec.ipFamilies ?? [];
  return (family as IpFamily | undefined) ?? parseIp(spec.clusterIP ?? '')?.family ?? 'IPv4';
}
