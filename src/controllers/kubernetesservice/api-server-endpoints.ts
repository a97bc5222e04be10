// Maintains the Service `kubernetes` with its Endpoints and EndpointSlice, and the default ServiceCIDR: creates them at start,
// and again when a client deletes them. Also runs the repair loops of Service IPs and node ports.
import type { Service } from '../../apis/core/service.ts';
import type { IPAddress } from '../../apis/networking/ipaddress.ts';
import type { ServiceCIDR } from '../../apis/networking/servicecidr.ts';
import { assignableRange, type Cidr } from '../../base/cidr.ts';
import { type Clock, every } from '../../base/clock.ts';
import { formatIp } from '../../base/ip-address.ts';
import type { Client } from '../../client/client.ts';
import type { Informer } from '../../client/informer.ts';
import type { Informers } from '../../client/informers.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { EventRecorder } from '../runtime/event-recorder.ts';
import { type MasterLeases, renewIntervalMs } from '../runtime/master-leases.ts';
import type { ServiceAllocator } from '../runtime/service-allocator.ts';
import { IpAddressRepair } from '../servicerepair/ipaddress-repair.ts';
import { ServiceRepair } from '../servicerepair/service-repair.ts';
import { ensureDefaultServiceCidr } from './default-service-cidr.ts';
import { type ApiServerAddress, publishEndpoints, publishKubernetesService } from './kubernetes-service.ts';

/** Interval of upstream's repair loops. */
const repairIntervalMs = 3 * 60_000;

export interface ApiServerEndpointsContext {
  readonly client: Client;
  readonly informers: Informers;
  readonly allocator: ServiceAllocator;
  readonly events: EventRecorder;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The ranges of cluster IPs, one for each IP family. */
  readonly clusterIps: readonly Cidr[];
  /** Creates the lease of this server at an address; undefined if no other server uses the same storage. */
  readonly leaseFor: ((address: string) => MasterLeases) | undefined;
}

export class ApiServerEndpoints {
  readonly #context: ApiServerEndpointsContext;
  readonly #ipAddressRepair: IpAddressRepair;
  readonly #serviceRepair: ServiceRepair;
  readonly #serviceCidrs: Informer<ServiceCIDR>;
  readonly #services: Informer<Service>;
  readonly #ipAddresses: Informer<IPAddress>;
  readonly #informers: readonly Pick<Informer<unknown>, 'watch' | 'close'>[];
  /** The name of the IPAddress of the Service `kubernetes`; '' without a range of cluster IPs. */
  readonly #ipAddressName: string;
  #server: ApiServerAddress | undefined;
  /** Set on shared storage, when other machines reach this server. */
  #leases: MasterLeases | undefined;
  #stopRenewing = () => {};
  #stopRepairs = () => {};
  /** Resolves after the last background task; each task waits for the one before. */
  #backgroundTasks: Promise<void> = Promise.resolve();

  constructor(context: ApiServerEndpointsContext) {
    this.#context = context;
    const { informers, dialect } = context;
    const [range] = context.clusterIps;
    const ipAddressName = range && formatIp({ family: range.family, value: assignableRange(range).first });
    this.#ipAddressName = ipAddressName ?? '';
    const name = dialect.apiServiceName;
    const recreateOnDelete = (ownKey: string) => ({
      onDelete: ({ key }: { readonly key: string }) => {
        if (key === ownKey) this.#inBackground(() => this.#recreate());
      },
    });
    this.#serviceCidrs = informers.informer(
      { group: 'networking', version: 'v1', resource: 'servicecidrs' },
      recreateOnDelete(name),
    );
    this.#services = informers.informer(
      { group: '', version: 'v1', resource: 'services' },
      recreateOnDelete(`default/${name}`),
    );
    this.#ipAddresses = informers.informer<IPAddress>(
      { group: 'networking', version: 'v1', resource: 'ipaddresses' },
      {
        onDelete: (object) => {
          if (object.key === ipAddressName) this.#inBackground(() => this.#recreate());
          this.#inBackground(() => this.#ipAddressRepair.restore(object));
        },
      },
    );
    this.#informers = [
      this.#serviceCidrs,
      this.#services,
      this.#ipAddresses,
      informers.informer(
        { group: '', version: 'v1', resource: 'endpoints' },
        recreateOnDelete(`default/${name}`),
      ),
      informers.informer(
        { group: 'discovery', version: 'v1', resource: 'endpointslices' },
        recreateOnDelete(`default/${name}`),
      ),
    ];
    const listers = { services: this.#services, ipAddresses: this.#ipAddresses };
    this.#ipAddressRepair = new IpAddressRepair({ ...context, ...listers }, () => this.#repairAll());
    this.#serviceRepair = new ServiceRepair({ ...context, ...listers });
  }

  /** Ensures the default ServiceCIDR before requests are served. */
  async start(): Promise<void> {
    const warning = await this.#ensureServiceCidr();
    if (warning !== undefined) this.#context.logger.warn({}, warning);
    for (const informer of this.#informers) informer.watch();
  }

  /** Publishes the HTTPS address once the server listens. A failure is logged and does not prevent serving. */
  async publish(server: ApiServerAddress | undefined): Promise<void> {
    this.#server = server;
    const { clock, leaseFor, allocator } = this.#context;
    if (leaseFor && server?.address !== undefined && !server.isLocal) {
      this.#leases = leaseFor(server.address);
      this.#stopRenewing = every(clock, renewIntervalMs, () => this.#inBackground(() => this.#renew()));
      this.#inBackground(() => this.#leases!.renew());
    }
    this.#inBackground(() => this.#ensure());
    await this.#backgroundTasks;
    this.#inBackground(() => allocator.warmUp());
    this.#repairAll();
    this.#stopRepairs = every(clock, repairIntervalMs, () => this.#repairAll());
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
    await this.#backgroundTasks;
  }

  async close(): Promise<void> {
    this.#stopRenewing();
    for (const informer of this.#informers) informer.close();
    this.#stopRepairs();
    this.#ipAddressRepair.close();
    this.#serviceRepair.close();
    await this.#backgroundTasks;
  }

  /** Checks allocations of cluster IPs and node ports. */
  #repairAll(): void {
    this.#inBackground(() => this.#ipAddressRepair.releaseOrphans());
    this.#inBackground(() => this.#serviceRepair.reconcile());
  }

  #inBackground(task: () => Promise<void>): void {
    this.#backgroundTasks = this.#backgroundTasks.then(task).catch((error: unknown) => {
      this.#context.logger.warn(
        { err: error },
        'failed to reconcile the default ServiceCIDR, the API server Service or Service allocations',
      );
    });
  }

  /** Recreates a deleted object. */
  async #recreate(): Promise<void> {
    const service = this.#services.get('default', this.#context.dialect.apiServiceName);
    // The IPAddress of a deleted Service is released a little later, which triggers this again.
    if (!service && this.#ipAddresses.get('', this.#ipAddressName)) return;
    await this.#ensure();
  }

  /** Creates or updates the ServiceCIDR and, once the server listens, the Service and its endpoints. */
  async #ensure(): Promise<void> {
    const { client, dialect, clusterIps } = this.#context;
    await this.#ensureServiceCidr();
    if (!this.#server || !clusterIps[0]) return;
    const { address } = this.#server;
    const addresses = this.#leases?.addresses() ?? (address === undefined ? [] : [address]);
    await publishKubernetesService(client, dialect, clusterIps[0], this.#server, addresses);
  }

  #ensureServiceCidr(): Promise<string | undefined> {
    const context = { ...this.#context, serviceCidrs: this.#serviceCidrs };
    return ensureDefaultServiceCidr(context, this.#context.clusterIps);
  }

  async #renew(): Promise<void> {
    if (!this.#leases) return;
    await this.#leases.renew();
    await this.#publishEndpoints(this.#leases);
  }

  async #publishEndpoints(leases: MasterLeases): Promise<void> {
    if (!this.#server) return;
    const { client, dialect } = this.#context;
    await publishEndpoints(client, dialect, this.#server, leases.addresses());
  }
}
