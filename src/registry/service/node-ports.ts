// Allocates node ports of Services. The stored Services are the record of allocated ports; there is no other.
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
  readonly #holders = new Map<number, number>();
  readonly #pending = new Set<number>();
  readonly #store: Store;
  readonly #follower: Reflector;
  /** Resolves when the last queued commit is done. */
  #lastTurn: Promise<void> = Promise.resolve();

  constructor(store: Store, range: PortRange) {
    this.range = range;
    this.#store = store;
    this.#follower = new Reflector(store, 'services/specs', {
      add: (service) => this.#hold(service.key, nodePortsOf(service)),
      remove: ({ key }) => this.#hold(key, new Set()),
      clear: () => {
        this.#byService.clear();
        this.#holders.clear();
      },
    });
  }

  warmUp(): Promise<void> {
    return this.#follower.warmUp();
  }

  begin(dryRun: boolean): PortOperation {
    this.#follower.sync();
    return dryRun ? new DryRunPortOperation(this) : new RealPortOperation(this, this.#pending);
  }

  /** Whether several Services use the port, which is an inconsistency. */
  isShared(port: number): boolean {
    this.#follower.sync();
    return (this.#holders.get(port) ?? 0) > 1;
  }

  isTaken(port: number): boolean {
    return this.#holders.has(port) || this.#pending.has(port);
  }

  /** Whether other servers allocate from the same range. */
  get isRangeShared(): boolean {
    return this.#store.isShared;
  }

  /**
   * Queues for a commit that allocates ports from a range shared with other servers. Such commits run one at a time and in
   * one conflict scope, so that a port allocated by another server is either known here or fails the commit. Resolves to a
   * function that lets the next commit run.
   */
  async nextTurn(): Promise<() => void> {
    const previousTurn = this.#lastTurn;
    let leave = () => {};
    this.#lastTurn = new Promise((resolve) => {
      leave = resolve;
    });
    await previousTurn;
    return leave;
  }

  /** The conflict scope of such a commit, at the revision that this server has applied. */
  series(taken: readonly number[]): ConflictScope {
    const conflicting = taken.find((port) => this.#holders.has(port));
    if (conflicting !== undefined)
      throw new TransactionConflict(`port ${conflicting} was taken at another server`);
    return { name: 'node-ports', asOf: this.#store.revision };
  }

  reset(): void {
    this.#follower.reset();
  }

  /** Replaces the recorded ports of a Service. */
  #hold(key: string, ports: ReadonlySet<number>): void {
    for (const port of this.#byService.get(key) ?? []) this.#count(port, -1);
    for (const port of ports) this.#count(port, 1);
    if (ports.size > 0) this.#byService.set(key, ports);
    else this.#byService.delete(key);
  }

  #count(port: number, by: 1 | -1): void {
    const holders = (this.#holders.get(port) ?? 0) + by;
    if (holders > 0) this.#holders.set(port, holders);
    else this.#holders.delete(port);
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
  take(port: number): void;
  takeNext(): number;
  /** Called right before the commit. Undefined if no other server can allocate the same ports. */
  readonly enter: (() => Promise<ConflictScope>) | undefined;
  /** Ends the operation after success or failure: ports of a stored Service are known from the watch log. */
  end(): void;
}

const alreadyAllocated = 'provided port is already allocated';

class RealPortOperation implements PortOperation {
  readonly #ports: NodePortAllocator;
  readonly #pending: Set<number>;
  readonly #taken: number[] = [];
  #leave = () => {};

  constructor(ports: NodePortAllocator, pending: Set<number>) {
    this.#ports = ports;
    this.#pending = pending;
  }

  take(port: number): void {
    const { first, last } = this.#ports.range;
    if (port < first || port > last) {
      throw new PortAllocationError(
        `provided port is not in the valid range. The range of valid ports is ${first}-${last}`,
      );
    }
    if (this.#ports.isTaken(port)) throw new PortAllocationError(alreadyAllocated);
    this.#pending.add(port);
    this.#taken.push(port);
  }

  /** Dynamic allocation uses the static band (the lowest ports) last: it is reserved for requested ports (KEP-3668). */
  takeNext(): number {
    const { first, last } = this.#ports.range;
    const size = last - first + 1;
    const bandSize = staticBandSize(size);
    const port = this.#freeIn(first + bandSize, last) ?? this.#freeIn(first, first + bandSize - 1);
    if (port === undefined) throw new PortAllocationError('range is full');
    this.take(port);
    return port;
  }

  #freeIn(first: number, last: number): number | undefined {
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
    if (!this.#ports.isRangeShared || this.#taken.length === 0) return undefined;
    return async () => {
      this.#leave = await this.#ports.nextTurn();
      return this.#ports.series(this.#taken);
    };
  }

  end(): void {
    for (const port of this.#taken) this.#pending.delete(port);
    this.#leave();
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
  readonly #taken = new Set<number>();
  #highest = 0;

  constructor(ports: NodePortAllocator) {
    this.#ports = ports;
  }

  take(port: number): void {
    if (this.#ports.isTaken(port) || this.#taken.has(port)) throw new PortAllocationError(alreadyAllocated);
    this.#record(port);
  }

  takeNext(): number {
    const port = (this.#highest || 32_768) + 1;
    this.#record(port);
    return port;
  }

  #record(port: number): void {
    this.#taken.add(port);
    this.#highest = Math.max(this.#highest, port);
  }

  end(): void {}
}
