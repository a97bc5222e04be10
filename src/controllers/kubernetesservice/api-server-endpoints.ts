import { every } from '../../base/clock.ts';
import { ipText } from '../../base/ip-address.ts';
import { Client } from '../../client/client.ts';
import type { Api } from '../../registry/api.ts';
import { usable } from '../../registry/service/address-ranges.ts';
import type { ServiceRanges } from '../../registry/service/service-allocation.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { EventRecorder } from '../runtime/event-recorder.ts';
import { AddressRepair } from '../servicerepair/ipaddress-repair.ts';
import { ServiceRepair } from '../servicerepair/service-repair.ts';
import { ensureDefaultServiceCidr } from './default-service-cidr.ts';
import { type ApiServerAddress, publishApiService, publishEndpoints } from './kubernetes-service.ts';
import { renewEvery, ServerLeases } from './server-leases.ts';

/** As often as others do it. */
const lookEvery = 3 * 60_000;

/** The objects that a cluster always has for its services: the range they get addresses from, and the way to this server. */
export class ApiServerEndpoints {
  readonly #api: Api;
  readonly #ranges: ServiceRanges;
  readonly #logger: Logger;
  readonly #repair: AddressRepair;
  readonly #services: ServiceRepair;
  #stopLooking = () => {};
  readonly #keys: ReturnType<typeof keysOf>;
  #server: ApiServerAddress | undefined;
  /** Where other servers share the store, and are reached by others. */
  #leases: ServerLeases | undefined;
  #stopRenewing = () => {};
  #unsubscribe: (() => void) | undefined;
  /** What is being done without anybody waiting for it. */
  #working: Promise<void> = Promise.resolve();

  constructor(api: Api, ranges: ServiceRanges, events: EventRecorder, logger: Logger) {
    this.#api = api;
    this.#ranges = ranges;
    this.#logger = logger;
    this.#repair = new AddressRepair(api, events, () => this.#lookAtAll());
    this.#services = new ServiceRepair(api, events);
    this.#keys = keysOf(api, ranges);
  }

  /** Before anybody is served: where services get their addresses. */
  async start(): Promise<void> {
    const remark = await ensureDefaultServiceCidr(this.#api, this.#ranges.clusterIps);
    if (remark !== undefined) this.#logger.warn({}, remark);
    const ours = new Set(Object.values(this.#keys));
    this.#unsubscribe = this.#api.store.subscribe((changes) => {
      for (const { type, prefix, key, object } of changes) {
        if (type !== 'deleted') continue;
        if (ours.has(key)) this.#inBackground(() => this.#comeBack());
        if (prefix === 'ipaddresses') this.#inBackground(() => this.#repair.keepAgain(object));
      }
    });
  }

  /**
   * Once the server listens, and where others reach it, if they do over HTTPS. That the way to it cannot be published is
   * no reason not to serve.
   */
  async publish(server: ApiServerAddress | undefined): Promise<void> {
    this.#server = server;
    const { store, clock } = this.#api;
    if (store.isShared && server?.address !== undefined && !server.isLocal) {
      this.#leases = new ServerLeases(store, clock, server.address);
      this.#stopRenewing = every(clock, renewEvery, () => this.#inBackground(() => this.#renew()));
      this.#inBackground(() => this.#leases!.renew());
    }
    this.#inBackground(() => this.#ensure());
    await this.#working;
    this.#inBackground(() => this.#api.serviceAllocation.warmUp());
    this.#lookAtAll();
    this.#stopLooking = every(this.#api.clock, lookEvery, () => this.#lookAtAll());
  }

  /** Leads nobody here any more, where there are others to lead to. */
  async withdraw(): Promise<void> {
    const leases = this.#leases;
    if (!leases) return;
    this.#leases = undefined;
    this.#stopRenewing();
    this.#inBackground(async () => {
      await leases.end();
      await this.#publishEndpoints(leases);
    });
    await this.#working;
  }

  async close(): Promise<void> {
    this.#stopRenewing();
    this.#unsubscribe?.();
    this.#stopLooking();
    this.#repair.close();
    this.#services.close();
    await this.#working;
  }

  /** Whether addresses and ports are as services say. */
  #lookAtAll(): void {
    this.#inBackground(() => this.#repair.releaseOrphans());
    this.#inBackground(() => this.#services.look());
  }

  #inBackground(work: () => Promise<void>): void {
    this.#working = this.#working.then(work).catch((error: unknown) => {
      this.#logger.warn(
        { err: error },
        'failed to reconcile the default ServiceCIDR, the API server Service or Service allocations',
      );
    });
  }

  /** What somebody deleted is made anew. */
  async #comeBack(): Promise<void> {
    const { store } = this.#api;
    const { service, address } = this.#keys;
    // The address of a deleted service is given back a little later: then it is our turn.
    if (!store.get(service) && store.get(address)) return;
    await this.#ensure();
  }

  async #ensure(): Promise<void> {
    const { clusterIps } = this.#ranges;
    await ensureDefaultServiceCidr(this.#api, clusterIps);
    if (!this.#server || !clusterIps[0]) return;
    const { address } = this.#server;
    const addresses = this.#leases?.addresses() ?? (address === undefined ? [] : [address]);
    await publishApiService(new Client(this.#api), this.#api.dialect, clusterIps[0], this.#server, addresses);
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

function keysOf({ dialect }: Api, { clusterIps: [range] }: ServiceRanges) {
  const name = dialect.apiServiceName;
  const first = range && ipText({ family: range.family, value: usable(range).first });
  return {
    range: `servicecidrs/${name}`,
    service: `services/specs/default/${name}`,
    address: `ipaddresses/${first}`,
    endpoints: `services/endpoints/default/${name}`,
    slice: `endpointslices/default/${name}`,
  };
}
