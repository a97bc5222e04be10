// Allocates node ports of Services (upstream: portallocator). The stored Services are the only record of allocated
// ports: there is no bitmap that could leak.
import { randomInt } from 'node:crypto';
import { Reflector } from '../../store/reflector.ts';
import { type ConflictScope, type Store, type StoredObject, TransactionConflict } from '../../store/store.ts';
import { decodePairs } from '../../store/stored-object.ts';

/** Inclusive range of ports. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** The requested port, or any port of the range, cannot be allocated. */
export class PortAllocationError extends Error {}

/** A port is allocated if a stored Service has it, or pending if a Service with it is being written. */
export class NodePortAllocator {
  readonly range: PortRange;
  /** The node ports of each Service that has any, by key. */
  readonly #byService = new Map<string, ReadonlySet<number>>();
  /** The number of Services with each allocated port. */
  readonly #serviceCounts = new Map<number, number>();
  /** Ports of Services that are being written. */
  readonly #pending = new Set<number>();
  readonly #store: Store;
  readonly #reflector: Reflector;
  /** Resolves when the last queued commit is done. */
  #lastTurn: Promise<void> = Promise.resolve();

  constructor(store: Store, range: PortRange) {
    this.range = range;
    this.#store = store;
    this.#reflector = new Reflector(store, 'services/specs', {
      add: (service) => this.#setPortsOf(service.key, nodePortsOf(service)),
      remove: ({ key }) => this.#setPortsOf(key, new Set()),
      clear: () => {
        this.#byService.clear();
        this.#serviceCounts.clear();
      },
    });
  }

  warmUp(): Promise<void> {
    return this.#reflector.warmUp();
  }

  /** Begins the allocations of one write. */
  beginOperation(dryRun: boolean): PortOperation {
    this.#reflector.sync();
    return dryRun ? new DryRunPortOperation(this) : new RealPortOperation(this, this.#pending);
  }

  /** Whether several Services use the port, which is an inconsistency. */
  isShared(port: number): boolean {
    this.#reflector.sync();
    return (this.#serviceCounts.get(port) ?? 0) > 1;
  }

  /** Whether the port is allocated or pending. */
  isTaken(port: number): boolean {
    return this.#serviceCounts.has(port) || this.#pending.has(port);
  }

  /** Whether other servers allocate from the same range. */
  get isRangeShared(): boolean {
    return this.#store.isShared;
  }

  /**
   * Queues for a commit that allocates ports from a range shared with other servers. Such commits run one at a time and
   * in one conflict scope, so that a port allocated by another server is either known here or fails the commit.
   * Resolves to a function that lets the next commit run.
   */
  async waitForTurn(): Promise<() => void> {
    const previousTurn = this.#lastTurn;
    let endTurn = () => {};
    this.#lastTurn = new Promise((resolve) => {
      endTurn = resolve;
    });
    await previousTurn;
    return endTurn;
  }

  /**
   * The conflict scope of such a commit, at the revision that this server has applied. Throws TransactionConflict if
   * another server has taken one of the ports by then.
   */
  conflictScopeFor(ports: readonly number[]): ConflictScope {
    const conflicting = ports.find((port) => this.#serviceCounts.has(port));
    if (conflicting !== undefined)
      throw new TransactionConflict(`port ${conflicting} was taken at another server`);
    return { name: 'node-ports', asOf: this.#store.revision };
  }

  reset(): void {
    this.#reflector.reset();
  }

  /** Replaces the recorded ports of a Service. */
  #setPortsOf(key: string, ports: ReadonlySet<number>): void {
    for (const port of this.#byService.get(key) ?? []) this.#addToCount(port, -1);
    for (const port of ports) this.#addToCount(port, 1);
    if (ports.size > 0) this.#byService.set(key, ports);
    else this.#byService.delete(key);
  }

  #addToCount(port: number, difference: 1 | -1): void {
    const count = (this.#serviceCounts.get(port) ?? 0) + difference;
    if (count > 0) this.#serviceCounts.set(port, count);
    else this.#serviceCounts.delete(port);
  }
}

/** The node ports of a stored Service. */
function nodePortsOf({ selectableFields, json }: StoredObject): Set<number> {
  const type = decodePairs(selectableFields).get('spec.type');
  if (type === 'ClusterIP' || type === 'ExternalName') return new Set();
  try {
    const { spec } = JSON.parse(json.toString()) as {
      spec: { ports?: { nodePort?: number }[]; healthCheckNodePort?: number };
    };
    const ports = [...(spec.ports ?? []).map(({ nodePort }) => nodePort), spec.healthCheckNodePort];
    return new Set(ports.flatMap((port) => port || []));
  } catch {
    // The ports of an undecodable Service are unknown.
    return new Set();
  }
}

/** The ports that one write allocates. They are released unless the write succeeds. */
export interface PortOperation {
  /** Allocates a requested port. Throws PortAllocationError where it is taken or out of range. */
  allocate(port: number): void;
  /** Allocates any free port. Throws PortAllocationError where the range is full. */
  allocateNext(): number;
  /** Called right before the commit. Undefined if no other server can allocate the same ports. */
  readonly enter: (() => Promise<ConflictScope>) | undefined;
  /** Ends the operation after success or failure: ports of a stored Service are known from the watch log. */
  end(): void;
}

const alreadyAllocated = 'provided port is already allocated';

class RealPortOperation implements PortOperation {
  readonly #ports: NodePortAllocator;
  readonly #pending: Set<number>;
  readonly #allocated: number[] = [];
  #endTurn = () => {};

  constructor(ports: NodePortAllocator, pending: Set<number>) {
    this.#ports = ports;
    this.#pending = pending;
  }

  allocate(port: number): void {
    const { first, last } = this.#ports.range;
    if (port < first || port > last) {
      throw new PortAllocationError(
        `provided port is not in the valid range. The range of valid ports is ${first}-${last}`,
      );
    }
    if (this.#ports.isTaken(port)) throw new PortAllocationError(alreadyAllocated);
    this.#pending.add(port);
    this.#allocated.push(port);
  }

  /** Dynamic allocation uses the static band (the lowest ports) last: it is reserved for requested ports (KEP-3668). */
  allocateNext(): number {
    const { first, last } = this.#ports.range;
    const size = last - first + 1;
    const bandSize = staticBandSize(size);
    const port = this.#findFreeIn(first + bandSize, last) ?? this.#findFreeIn(first, first + bandSize - 1);
    if (port === undefined) throw new PortAllocationError('range is full');
    this.allocate(port);
    return port;
  }

  #findFreeIn(first: number, last: number): number | undefined {
    const size = last - first + 1;
    if (size <= 0) return undefined;
    const start = randomInt(size);
    for (let step = 0; step < size; step++) {
      const port = first + ((start + step) % size);
      if (!this.#ports.isTaken(port)) return port;
    }
    return undefined;
  }

  get enter(): (() => Promise<ConflictScope>) | undefined {
    if (!this.#ports.isRangeShared || this.#allocated.length === 0) return undefined;
    return async () => {
      this.#endTurn = await this.#ports.waitForTurn();
      return this.#ports.conflictScopeFor(this.#allocated);
    };
  }

  end(): void {
    for (const port of this.#allocated) this.#pending.delete(port);
    this.#endTurn();
  }
}

/** A 32nd of the range, at least 16 and at most 128 ports; small ranges have no static band. */
function staticBandSize(size: number): number {
  return size < 16 ? 0 : Math.min(Math.max(16, Math.floor(size / 32)), 128);
}

/** Dry run: allocates nothing, and returns port numbers beyond the default range in place of allocated ones. */
class DryRunPortOperation implements PortOperation {
  readonly enter = undefined;
  readonly #ports: NodePortAllocator;
  readonly #allocated = new Set<number>();
  #highest = 0;

  constructor(ports: NodePortAllocator) {
    this.#ports = ports;
  }

  allocate(port: number): void {
    if (this.#ports.isTaken(port) || this.#allocated.has(port))
      throw new PortAllocationError(alreadyAllocated);
    this.#record(port);
  }

  allocateNext(): number {
    const port = (this.#highest || 32_768) + 1;
    this.#record(port);
    return port;
  }

  #record(port: number): void {
    this.#allocated.add(port);
    this.#highest = Math.max(this.#highest, port);
  }

  end(): void {}
}
