import { randomInt } from 'node:crypto';
import { decodePairs } from '../../store/pairs.ts';
import { Reflector } from '../../store/reflector.ts';
import { type ConflictScope, type Store, type StoredObject, TransactionConflict } from '../../store/store.ts';

/** The ports from `first` to `last`. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Why a port, or any port, cannot be had. */
export class NoPort extends Error {}

/**
 * The ports that services take on every node. Those in use are known from the services themselves; those of services
 * that are just being written are pending.
 */
export class NodePorts {
  readonly range: PortRange;
  /** The ports of each service that has some, and how many services have each port. */
  readonly #byService = new Map<string, ReadonlySet<number>>();
  readonly #holders = new Map<number, number>();
  readonly #pending = new Set<number>();
  readonly #store: Store;
  readonly #follower: Reflector;
  /** Ends when the last who waits to commit what it took has. */
  #lastTurn: Promise<void> = Promise.resolve();

  constructor(store: Store, range: PortRange) {
    this.range = range;
    this.#store = store;
    this.#follower = new Reflector(store, 'services/specs', {
      add: (service) => this.#hold(service.key, portsOf(service)),
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
    return dryRun ? new DryPortOperation(this) : new RealPortOperation(this, this.#pending);
  }

  /** Whether several services have it, as none should. */
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
   * Where other servers give out ports too, those who have taken some commit one after the other, in a series that all
   * servers share: what was taken elsewhere meanwhile is seen, or the write overtaken by it. Resolves with how to make room
   * for the next.
   */
  async nextTurn(): Promise<() => void> {
    const before = this.#lastTurn;
    let leave = () => {};
    this.#lastTurn = new Promise((resolve) => {
      leave = resolve;
    });
    await before;
    return leave;
  }

  /** In whose turn it is: the series, as of what is known here. */
  series(taken: readonly number[]): ConflictScope {
    const gone = taken.find((port) => this.#holders.has(port));
    if (gone !== undefined) throw new TransactionConflict(`port ${gone} was taken at another server`);
    return { name: 'node-ports', asOf: this.#store.revision };
  }

  reset(): void {
    this.#follower.reset();
  }

  /** The service has these ports, and no longer those it had. */
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

/** The ports on nodes that a stored service has. */
function portsOf({ fields, json }: StoredObject): Set<number> {
  const type = decodePairs(fields).get('spec.type');
  if (type === 'ClusterIP' || type === 'ExternalName') return new Set();
  try {
    const { spec } = JSON.parse(json.toString()) as {
      spec: { ports?: { nodePort?: number }[]; healthCheckNodePort?: number };
    };
    const ports = [...(spec.ports ?? []).map(({ nodePort }) => nodePort), spec.healthCheckNodePort];
    return new Set(ports.flatMap((port) => port || []));
  } catch {
    // What cannot be read has no ports that anybody could know of.
    return new Set();
  }
}

/** The ports that one write takes. They are given back unless it succeeds. */
export interface PortOperation {
  take(port: number): void;
  takeNext(): number;
  /** Called right before the write, where others may have taken the same since. */
  readonly enter: (() => Promise<ConflictScope>) | undefined;
  /** The write is done, one way or the other: what it stored is known from the log. */
  end(): void;
}

const alreadyAllocated = 'provided port is already allocated';

class RealPortOperation implements PortOperation {
  readonly #ports: NodePorts;
  readonly #pending: Set<number>;
  readonly #taken: number[] = [];
  #leave = () => {};

  constructor(ports: NodePorts, pending: Set<number>) {
    this.#ports = ports;
    this.#pending = pending;
  }

  take(port: number): void {
    const { first, last } = this.#ports.range;
    if (port < first || port > last) {
      throw new NoPort(
        `provided port is not in the valid range. The range of valid ports is ${first}-${last}`,
      );
    }
    if (this.#ports.isTaken(port)) throw new NoPort(alreadyAllocated);
    this.#pending.add(port);
    this.#taken.push(port);
  }

  /** The lowest ports are left to those who ask for certain ones, as long as there are others. */
  takeNext(): number {
    const { first, last } = this.#ports.range;
    const size = last - first + 1;
    const low = lowBand(size);
    const port = this.#freeIn(first + low, last) ?? this.#freeIn(first, first + low - 1);
    if (port === undefined) throw new NoPort('range is full');
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

function lowBand(size: number): number {
  return size < 16 ? 0 : Math.min(Math.max(16, Math.floor(size / 32)), 128);
}

/** Takes nothing. Ports that would be given out are shown as such by numbers beyond the usual range. */
class DryPortOperation implements PortOperation {
  readonly enter = undefined;
  readonly #ports: NodePorts;
  readonly #taken = new Set<number>();
  #highest = 0;

  constructor(ports: NodePorts) {
    this.#ports = ports;
  }

  take(port: number): void {
    if (this.#ports.isTaken(port) || this.#taken.has(port)) throw new NoPort(alreadyAllocated);
    this.#note(port);
  }

  takeNext(): number {
    const port = (this.#highest || 32_768) + 1;
    this.#note(port);
    return port;
  }

  #note(port: number): void {
    this.#taken.add(port);
    this.#highest = Math.max(this.#highest, port);
  }

  end(): void {}
}
