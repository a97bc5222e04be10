// API aggregation: the availability controller, which sets the Available condition of APIServices and fetches the
// discovery of aggregated API servers.
import type { APIService } from '../apis/apiregistration/apiservice.ts';
import { timestamp } from '../base/clock.ts';
import type { WorkQueue, WorkQueueFactory } from '../controllers/runtime/work-queue.ts';
import { ApiError } from '../errors/status.ts';
import type { UpdateContext } from '../registry/verb-context.ts';
import { guaranteedUpdate } from '../registry/verbs/guaranteed-update.ts';
import { mastersGroup } from '../request/authenticator.ts';
import type { User } from '../request/user.ts';
import type { Change } from '../store/store.ts';
import { decodePairs } from '../store/stored-object.ts';
import type { Logger } from '../telemetry/log.ts';
import type { ApiServices, RegisteredService } from './api-services.ts';
import { type AvailabilityStatus, checkAvailability } from './availability-check.ts';
import { identityHeadersFor } from './identity.ts';
import type { RegisteredVersions } from './registered-versions.ts';
import { fetchContent } from './remote-content.ts';
import type { RemoteParts } from './remote-request.ts';
import type { RemoteServer } from './remote-server.ts';

/** Interval of checks of an available server, and longest backoff for an unavailable one. */
const checkIntervalMs = 30_000;
/** Backoff after the first failed check; it doubles with each further one. */
const baseRetryMs = 100;
/** Shortest time between two discovery attempts of a server whose discovery succeeded. */
const discoveryIntervalMs = 60_000;
/** Many, so that servers that do not respond do not delay the checks of the others. */
const workers = 256;

export interface AvailabilityControllerParts {
  readonly api: UpdateContext;
  readonly logger: Logger;
  readonly newQueue: WorkQueueFactory;
  readonly services: ApiServices;
  readonly registeredVersions: RegisteredVersions;
}

type RemoteService = RegisteredService & { readonly remote: RemoteServer };

/** Checks when an APIService, its Service or its endpoints change, and periodically. */
export class AvailabilityController {
  readonly #api: UpdateContext;
  readonly #services: ApiServices;
  readonly #registeredVersions: RegisteredVersions;
  readonly #parts: RemoteParts;
  readonly #logger: Logger;
  readonly #queue: WorkQueue;
  /** The user of this server's own requests to aggregated API servers. */
  readonly #user: User;
  /** Consecutive failed checks by APIService name; absent after a successful one. */
  readonly #failures = new Map<string, number>();
  /** Time of the last discovery attempt. */
  readonly #lastDiscoveryMs = new WeakMap<RemoteServer, number>();
  /** Servers whose discovery failure was logged. */
  readonly #discoveryFailureLogged = new WeakSet<RemoteServer>();
  #unsubscribe: (() => void) | undefined;

  constructor(
    { api, logger, newQueue, services, registeredVersions }: AvailabilityControllerParts,
    parts: RemoteParts,
  ) {
    this.#api = api;
    this.#parts = parts;
    this.#logger = logger;
    this.#services = services;
    this.#registeredVersions = registeredVersions;
    const name = `system:${api.dialect.component('aggregator')}`;
    this.#user = { name, uid: '', groups: [mastersGroup], extra: {} };
    const reconcile = (key: string) => this.#reconcile(key);
    this.#queue = newQueue({ name: 'RemoteAvailabilityController', reconcile, workers });
    services.listen({
      onRemote: (service) => this.#queue.add(service.name),
      onRemoved: (service) => this.#failures.delete(service.name),
    });
  }

  start(): void {
    this.#enqueueAll();
    const onChanges = (changes: readonly Change[]) => {
      if (this.#services.hasRemote) for (const change of changes) this.#onChange(change);
    };
    this.#unsubscribe = this.#api.store.subscribe(onChanges, watchedPrefixes);
  }

  reset(): void {
    this.#queue.clear();
    this.#failures.clear();
    this.#enqueueAll();
  }

  async close(): Promise<void> {
    this.#unsubscribe?.();
    await this.#queue.close();
  }

  #enqueueAll(): void {
    for (const { name, remote } of this.#services.all) if (remote) this.#queue.add(name);
  }

  /** Queues the APIServices of a changed Service or of its endpoints. */
  #onChange({ prefix, key, object }: Change): void {
    const changedService = serviceOfChange(prefix, key, () =>
      decodePairs(object.labels).get(this.#api.dialect.labels.serviceName),
    );
    if (changedService === undefined) return;
    for (const { name, remote } of this.#services.all) {
      if (remote && `${remote.namespace}/${remote.service}` === changedService) this.#queue.add(name);
    }
  }

  async #reconcile(name: string): Promise<void> {
    const service = this.#services.find(name);
    if (!service?.remote) return;
    const remoteService: RemoteService = { ...service, remote: service.remote };
    const availability = await checkAvailability(
      this.#parts,
      remoteService,
      identityHeadersFor(this.#user, { withUid: false }),
    );
    // The APIService was deleted, or refers to a different server now.
    if (remoteService.remote.isClosed) return;
    await this.#updateStatus(name, availability);
    if (availability.status === 'True') {
      this.#failures.delete(name);
      await this.#discover(remoteService);
    } else {
      this.#failures.set(name, (this.#failures.get(name) ?? 0) + 1);
      this.#registeredVersions.setDiscovered(remoteService.remote, undefined);
    }
    this.#queue.addAfter(name, this.#nextCheckDelayMs(name));
  }

  /** Time until the next check: exponential backoff while the server is unavailable. */
  #nextCheckDelayMs(name: string): number {
    const failures = this.#failures.get(name);
    if (failures === undefined) return checkIntervalMs;
    return Math.min(baseRetryMs * 2 ** (failures - 1), checkIntervalMs);
  }

  async #updateStatus(name: string, availability: AvailabilityStatus): Promise<void> {
    const target = { resource: this.#services.resource, namespace: '', name, subresource: 'status' };
    const stored = this.#api.store.get(target.resource.key('', name));
    if (!stored || isStatusCurrent(stored.json, availability)) return;
    const now = timestamp(this.#api.clock);
    try {
      await guaranteedUpdate(
        this.#api,
        target,
        (object) => {
          const { status } = object as APIService;
          const previousCondition = status.conditions?.find(({ type }) => type === 'Available');
          const isSameStatus = previousCondition?.status === availability.status;
          const lastTransitionTime = (isSameStatus && previousCondition.lastTransitionTime) || now;
          const otherConditions = (status.conditions ?? []).filter(
            (condition) => condition !== previousCondition,
          );
          status.conditions = [
            ...otherConditions,
            { type: 'Available', lastTransitionTime, ...availability },
          ];
        },
        { managedThrough: 'status' },
      );
    } catch (error) {
      const isDeleted = error instanceof ApiError && error.code === 404;
      if (!isDeleted) throw error;
    }
  }

  /** Fetches discovery and OpenAPI, unless that was done recently. A failure marks the last discovery as stale. */
  async #discover({ name, group, version, remote }: RemoteService): Promise<void> {
    const { clock, dialect } = this.#api;
    const lastAttemptMs = this.#lastDiscoveryMs.get(remote) ?? Number.NEGATIVE_INFINITY;
    const isRecent = clock.now() - lastAttemptMs < discoveryIntervalMs;
    if (isRecent && !remote.isStale) return;
    this.#lastDiscoveryMs.set(remote, clock.now());
    const headers = identityHeadersFor(this.#user, { withUid: false });
    try {
      const content = await fetchContent(this.#parts, dialect, { remote, group, version, headers });
      if (!remote.isClosed) this.#registeredVersions.setDiscovered(remote, content);
    } catch (error) {
      if (remote.isClosed) return;
      this.#registeredVersions.setDiscovered(remote, undefined);
      if (this.#discoveryFailureLogged.has(remote)) return;
      this.#discoveryFailureLogged.add(remote);
      const { message } = error as Error;
      this.#logger.warn(
        { problem: message, apiService: name },
        'failed to fetch discovery from an aggregated API server',
      );
    }
  }
}

/** Storage prefixes of Services, Endpoints and EndpointSlices. */
const watchedPrefixes = ['services/specs', 'services/endpoints', 'endpointslices'];

/**
 * `namespace/name` of the Service that a changed Service, Endpoints or EndpointSlice belongs to; undefined for other
 * objects. Only an EndpointSlice names its Service in a label.
 */
function serviceOfChange(
  prefix: string,
  key: string,
  serviceNameLabel: () => string | undefined,
): string | undefined {
  const [name, namespace] = key.split('/').reverse();
  if (prefix === 'services/specs' || prefix === 'services/endpoints') return `${namespace}/${name}`;
  return prefix === 'endpointslices' ? `${namespace}/${serviceNameLabel() ?? ''}` : undefined;
}

/** Whether the stored Available condition says the same: a check without news does not write. */
function isStatusCurrent(json: Buffer, { status, reason, message }: AvailabilityStatus): boolean {
  const { conditions = [] } = (JSON.parse(json.toString()) as Partial<APIService>).status ?? {};
  return conditions.some(
    (condition) =>
      condition.type === 'Available' &&
      condition.status === status &&
      condition.reason === reason &&
      condition.message === message,
  );
}
