// Registers the simulated nodes, and keeps their Leases and conditions current, as their kubelets would.
// It acts for every Node with the mark of simulated nodes, whoever created it, and for no other.
import type { Lease } from '../apis/coordination/lease.ts';
import type { Node } from '../apis/core/node.ts';
import { timestamp } from '../base/clock.ts';
import type { Informer } from '../client/informer.ts';
import type { InformerObject } from '../client/informer-object.ts';
import type { Lister } from '../client/lister.ts';
import type { ControllerContext } from '../controllers/runtime/controller.ts';
import type { WorkQueue } from '../controllers/runtime/work-queue.ts';
import { ApiError } from '../errors/status.ts';
import { AddressPool } from './address-pool.ts';
import {
  completeStatus,
  internalIpOf,
  isFailed,
  isSimulated,
  lacksReady,
  leaseManifest,
  nodeManifest,
} from './node-objects.ts';
import { RenewalWheel } from './renewal-wheel.ts';

const nodes = { group: '', version: 'v1', resource: 'nodes' } as const;
const leases = { group: 'coordination', version: 'v1', resource: 'leases' } as const;

/** The interval of status updates without a change, as a kubelet has it. */
const heartbeatMs = 5 * 60_000;
/** Concurrent writes: enough to share group commits. */
const workers = 16;
/** The private range of node addresses, 172.16.0.0/12. */
const firstAddress = '172.16.0.1';
const addressCount = 2 ** 20 - 2;

/** The field manager of the writes of a simulated node. */
export const kubeletManager = 'kubelet';

/** What renewals need of a Node, which is not decoded for each of them. */
interface SimulatedNode {
  readonly uid: string;
  readonly ip: string | undefined;
  readonly isFailed: boolean;
  /** Its status lacks an address or the condition Ready. */
  readonly isIncomplete: boolean;
  /** The monotonic time of the next status update. */
  heartbeatDueMs: number;
}

export class SimulatedNodes {
  readonly #context: ControllerContext;
  readonly #count: number;
  /** Called when the pods of a node may go on: the node is new, or has recovered. */
  readonly #onResume: (name: string, hasRecovered: boolean) => void;
  readonly #informer: Informer<Node>;
  readonly #leases: Lister<Lease>;
  readonly #queue: WorkQueue;
  readonly #wheel: RenewalWheel;
  readonly #nodes = new Map<string, SimulatedNode>();
  readonly #addresses = new AddressPool(firstAddress, addressCount, (ip) => this.#usedAddresses.has(ip));
  readonly #usedAddresses = new Set<string>();
  /** Addresses of nodes whose status could not be written yet, such as after a conflict. */
  readonly #allocated = new Map<string, string>();

  constructor(
    context: ControllerContext,
    count: number,
    onResume: (name: string, hasRecovered: boolean) => void,
  ) {
    const { informers, newQueue, clock } = context;
    this.#context = context;
    this.#count = count;
    this.#onResume = onResume;
    this.#leases = informers.lister<Lease>(leases);
    this.#queue = newQueue({ name: 'simulated_nodes', reconcile: (name) => this.#reconcile(name), workers });
    this.#wheel = new RenewalWheel(clock, (name) => this.#queue.add(name));
    this.#informer = informers.informer<Node>(nodes, {
      onAdd: (node) => this.#onNode(node),
      onUpdate: (_oldNode, node) => this.#onNode(node),
      onDelete: ({ name }) => this.#remove(name),
      onReset: () => this.#clear(),
    });
  }

  /** Resolves once all nodes exist. */
  async start(): Promise<void> {
    this.#wheel.start();
    this.#informer.start();
    await this.#informer.hasSynced;
    await this.#register();
  }

  reset(): void {
    this.#informer.reset();
    this.#informer.start();
    this.#informer.hasSynced
      .then(() => this.#register())
      .catch((error: unknown) =>
        this.#context.logger.error({ err: error }, 'failed to create the simulated nodes'),
      );
  }

  async close(): Promise<void> {
    this.#wheel.close();
    this.#informer.close();
    await this.#queue.close();
  }

  /** The address of a simulated node whose kubelet runs; undefined for other nodes. */
  runningNode(name: string): { readonly ip: string } | undefined {
    const node = this.#nodes.get(name);
    return node && !node.isFailed && node.ip !== undefined ? { ip: node.ip } : undefined;
  }

  #onNode(object: InformerObject<Node>): void {
    const { dialect, clock } = this.#context;
    const { name } = object;
    const node = object.tryDecodeLazily();
    if (!node || !isSimulated(node, dialect)) {
      this.#remove(name);
      return;
    }
    const known = this.#nodes.get(name);
    const ip = internalIpOf(node);
    if (ip !== undefined) this.#usedAddresses.add(ip);
    // The first heartbeat comes early by chance, so that those of nodes of one age are spread.
    const heartbeatDueMs = known?.heartbeatDueMs ?? clock.elapsed() + heartbeatMs * Math.random();
    const isIncomplete = ip === undefined || lacksReady(node);
    const uid = node.metadata.uid!;
    const current = { uid, ip, isFailed: isFailed(node, dialect), isIncomplete, heartbeatDueMs };
    this.#nodes.set(name, current);
    this.#wheel.add(name);
    const hasRecovered = (known?.isFailed ?? false) && !current.isFailed;
    const hasResumed = !known || hasRecovered || known.ip !== ip;
    if (hasResumed || isIncomplete) this.#queue.add(name);
    if (hasResumed) this.#onResume(name, hasRecovered);
  }

  #remove(name: string): void {
    const { ip } = this.#nodes.get(name) ?? {};
    if (ip !== undefined) this.#usedAddresses.delete(ip);
    this.#nodes.delete(name);
    this.#allocated.delete(name);
    this.#wheel.delete(name);
  }

  #clear(): void {
    this.#nodes.clear();
    this.#usedAddresses.clear();
    this.#allocated.clear();
    this.#wheel.clear();
    this.#queue.clear();
  }

  /** Creates the nodes that do not exist. Admission does not run: it would taint them until a controller removes the taint. */
  async #register(): Promise<void> {
    const missing = Array.from({ length: this.#count }, (_, index) => index).filter(
      (index) => !this.#informer.get('', `node-${index}`),
    );
    for (let start = 0; start < missing.length; start += workers) {
      await Promise.all(missing.slice(start, start + workers).map((index) => this.#create(index)));
    }
  }

  async #create(index: number): Promise<void> {
    const { client, clock, dialect } = this.#context;
    const manifest = nodeManifest(index, this.#addresses.allocate(), timestamp(clock), dialect);
    try {
      await client.create(manifest, { manager: kubeletManager });
    } catch (error) {
      if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error;
    }
  }

  /** Renews the Lease, and updates the status if that is due. */
  async #reconcile(name: string): Promise<void> {
    const simulated = this.#nodes.get(name);
    if (!simulated || simulated.isFailed) return;
    await this.#renewLease(name, simulated.uid);
    const isDue = this.#context.clock.elapsed() >= simulated.heartbeatDueMs;
    if (isDue || simulated.isIncomplete) await this.#writeStatus(name, simulated);
  }

  async #renewLease(name: string, uid: string): Promise<void> {
    const { client, clock, dialect } = this.#context;
    const key = `${dialect.nodeLeaseNamespace}/${name}`;
    const renewTime = microTimestamp(clock.now());
    const options = { manager: kubeletManager };
    if (this.#leases.getByKey(key)) {
      const renew = ({ spec }: Lease) => {
        spec.renewTime = renewTime;
      };
      await client.mutate(this.#leases, key, renew, options);
    } else await client.create(leaseManifest(name, uid, renewTime, dialect), options);
  }

  async #writeStatus(name: string, simulated: SimulatedNode): Promise<void> {
    const { client, clock } = this.#context;
    const ip = simulated.ip ?? this.#allocated.get(name) ?? this.#addresses.allocate();
    this.#allocated.set(name, ip);
    const update = (node: Node) => {
      node.status = completeStatus(node.status, name, ip, timestamp(clock));
    };
    await client.mutate(this.#informer, name, update, { subresource: 'status', manager: kubeletManager });
    this.#allocated.delete(name);
    simulated.heartbeatDueMs = clock.elapsed() + heartbeatMs;
  }
}

/** metav1.MicroTime. */
const microTimestamp = (ms: number) => new Date(ms).toISOString().replace('Z', '000Z');
