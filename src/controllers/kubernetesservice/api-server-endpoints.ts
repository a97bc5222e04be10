// The Service, Endpoints and EndpointSlice of the API server, and the default ServiceCIDR.
import { every } from '../../base/clock.ts';
import { formatIp } from '../../base/ip-address.ts';
import { Client } from '../../client/client.ts';
import type { Api } from '../../registry/api.ts';
import type { ServiceRanges } from '../../registry/service/service-allocation.ts';
import { assignableRange } from '../../registry/service/service-cidrs.ts';
import type { Change } from '../../store/store.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { EventRecorder } from '../runtime/event-recorder.ts';
import { IpAddressRepair } from '../servicerepair/ipaddress-repair.ts';
import { ServiceRepair } from '../servicerepair/service-repair.ts';
import { ensureDefaultServiceCidr } from './default-service-cidr.ts';
import { type ApiServerAddress, publishEndpoints, publishKubernetesService } from './kubernetes-service.ts';
import { renewIntervalMs, ServerLeases } from './server-leases.ts';

/** Interval of upstream's repair loops. */
const repairIntervalMs = 3 * 60_000;

export class ApiServerEndpoints {
  readonly #api: Api;
  readonly #ranges: ServiceRanges;
  readonly #logger: Logger;
  readonly #repair: IpAddressRepair;
  readonly #services: ServiceRepair;
  #stopRepairs = () => {};
  readonly #keys: ReturnType<typeof keysOf>;
  #server: ApiServerAddress | undefined;
  /** Set on shared storage, when other machines reach this server. */
  #leases: ServerLeases | undefined;
  #stopRenewing = () => {};
  #unsubscribe: (() => void) | undefined;
  /** Reconciliation in the background, one after the other. */
  #working: Promise<void> = Promise.resolve();

  constructor(api: Api, ranges: ServiceRanges, events: EventRecorder, logger: Logger) {
    this.#api = api;
    this.#ranges = ranges;
    this.#logger = logger;
    this.#repair = new IpAddressRepair(api, events, () => this.#repairAll());
    this.#services = new ServiceRepair(api, events);
    this.#keys = keysOf(api, ranges);
  }

  /** Ensures the default ServiceCIDR before requests are served. */
  async start(): Promise<void> {
    const remark = await ensureDefaultServiceCidr(this.#api, this.#ranges.clusterIps);
    if (remark !== undefined) this.#logger.warn({}, remark);
    const ours = new Set(Object.values(this.#keys));
    const onChanges = (changes: readonly Change[]) => {
      for (const { type, prefix, key, object } of changes) {
        if (type !== 'deleted') continue;
        if (ours.has(key)) this.#inBackground(() => this.#recreate());
        if (prefix === 'ipaddresses') this.#inBackground(() => this.#repair.keepAgain(object));
      }
    };
    this.#unsubscribe = this.#api.store.subscribe(onChanges, followedPrefixes);
  }

  /** Publishes the HTTPS address once the server listens. A failure is logged and does not prevent serving. */
  async publish(server: ApiServerAddress | undefined): Promise<void> {
    this.#server = server;
    const { store, clock } = this.#api;
    if (store.isShared && server?.address !== undefined && !server.isLocal) {
      this.#leases = new ServerLeases(store, clock, server.address);
      this.#stopRenewing = every(clock, renewIntervalMs, () => this.#inBackground(() => this.#renew()));
      this.#inBackground(() => this.#leases!.renew());
    }
    this.#inBackground(() => this.#ensure());
    await this.#working;
    this.#inBackground(() => this.#api.serviceAllocation.warmUp());
    this.#repairAll();
    this.#stopRepairs = every(this.#api.clock, repairIntervalMs, () => this.#repairAll());
  }

  /** Removes this server from the endpoints before shutdown, if there are other servers. */
  async withdraw(): Promise<void> {
    const leases = this.#leases;
    if (!leases) return;
    this.#leases = undefined;
    this.#stopRenewing();
    this.#inBackground(async () => {
      await leases.release();
      await this.#publishEndpoints(leases);
    });
    await this.#working;
  }

  async close(): Promise<void> {
    this.#stopRenewing();
    this.#unsubscribe?.();
    this.#stopRepairs();
    this.#repair.close();
    this.#services.close();
    await this.#working;
  }

  /** Checks allocations of cluster IPs and node ports. */
  #repairAll(): void {
    this.#inBackground(() => this.#repair.releaseOrphans());
    this.#inBackground(() => this.#services.reconcile());
  }

  #inBackground(work: () => Promise<void>): void {
    this.#working = this.#working.then(work).catch((error: unknown) => {
      this.#logger.warn(
        { err: error },
        'failed to reconcile the default ServiceCIDR, the API server Service or Service allocations',
      );
    });
  }

  /** Recreates a deleted object. */
  async #recreate(): Promise<void> {
    const { store } = this.#api;
    const { service, address } = this.#keys;
    // The IPAddress of a deleted Service is released a little later, which triggers this again.
    if (!store.get(service) && store.get(address)) return;
    await this.#ensure();
  }

  async #ensure(): Promise<void> {
    const { clusterIps } = this.#ranges;
    await ensureDefaultServiceCidr(this.#api, clusterIps);
    if (!this.#server || !clusterIps[0]) return;
    const { address } = this.#server;
    const addresses = this.#leases?.addresses() ?? (address === undefined ? [] : [address]);
    await publishKubernetesService(
      new Client(this.#api),
      this.#api.dialect,
      clusterIps[0],
      this.#server,
      addresses,
    );
  }

  async #renew(): Promise<void> {
    if (!this.#leases) return;
    await this.#leases.renew();
    await this.#publishEndpoints(this.#leases);
  }

  async #publishEndpoints(leases: ServerLeases): Promise<void> {
    if (!this.#server) return;
    await publishEndpoints(new Client(this.#api), this.#api.dialect, this.#server, leases.addresses());
  }
}

/** The resources of the keys below. */
const followedPrefixes = [
  'servicecidrs',
  'services/specs',
  'ipaddresses',
  'services/endpoints',
  'endpointslices',
];

function keysOf({ dialect }: Api, { clusterIps: [range] }: ServiceRanges) {
  const name = dialect.apiServiceName;
  const first = range && formatIp({ family: range.family, value: assignableRange(range).first });
  return {
    range: `servicecidrs/${name}`,
    service: `services/specs/default/${name}`,
    address: `ipaddresses/${first}`,
    endpoints: `services/endpoints/default/${name}`,
    slice: `endpointslices/default/${name}`,
  };
}
