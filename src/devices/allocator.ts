// Dynamic resource allocation: finds devices for all requests of some ResourceClaims among the pools that a node can access, by
// search with backtracking. The devices of a request are tried in the order of pools, slices and devices.
import type { ClaimRequest, RequestedClaim, RequestedDevices } from './claim-requests.ts';
import type { DeviceMatcher } from './device-matcher.ts';
import { MatchAttribute } from './match-attribute.ts';
import type { Pool, PooledDevice, PoolSlice } from './pools.ts';

/** Devices of a claim. */
const maxDevicesPerClaim = 32;
/** How often devices are tried for a pod, on all nodes together: without a limit a search may take exponential time. */
const maxSteps = 100_000;

/** The claims or classes are wrong, or a pool is being changed: no node can be checked. */
export class AllocationError extends Error {}

export interface AllocatedDevice<Slice extends PoolSlice> {
  readonly requested: RequestedDevices;
  readonly device: PooledDevice;
  readonly slice: Slice;
}

export interface AllocatorParts {
  readonly matcher: DeviceMatcher;
  /** The CEL expressions of a class. */
  classSelectors(className: string): readonly string[];
  /** Whether another claim has a device, by its key. */
  isAllocated(deviceKey: string): boolean;
}

/** Identifies a device in the cluster. */
export const deviceKey = ({ driver, pool, name }: { driver: string; pool: string; name: string }) =>
  `${driver}/${pool}/${name}`;

/** Allocates the same claims for one node after another. */
export class DeviceAllocator<Slice extends PoolSlice> {
  readonly #claims: readonly RequestedClaim[];
  readonly #parts: AllocatorParts;
  #steps = 0;

  constructor(claims: readonly RequestedClaim[], parts: AllocatorParts) {
    this.#claims = claims;
    this.#parts = parts;
  }

  /** The search was ended before all combinations were tried. */
  get isExhausted(): boolean {
    return this.#steps >= maxSteps;
  }

  /** The devices of each claim; undefined if there are not enough. Throws AllocationError. */
  allocate(pools: readonly Pool<Slice>[]): readonly (readonly AllocatedDevice<Slice>[])[] | undefined {
    const candidates = pools.flatMap((pool) =>
      pool.slices.flatMap((slice) =>
        slice.devices.map((device) => ({ device, slice, pool, key: deviceKey(device) })),
      ),
    );
    const claims = this.#claims.map((claim) => ({
      claim,
      requests: claim.requests.map((request) => this.#prepare(claim, request, pools, candidates)),
      constraints: claim.constraints.map((constraint) => new MatchAttribute(constraint)),
      devices: [] as AllocatedDevice<Slice>[],
    }));
    for (const { claim, requests } of claims) assertDeviceLimit(claim, requests);
    const search = new Search(claims, {
      ...this.#parts,
      candidates,
      matches: (claim, requested, device) => this.#matches(claim, requested, device),
      countStep: () => ++this.#steps <= maxSteps,
    });
    return search.run() ? claims.map(({ devices }) => devices) : undefined;
  }

  #prepare(
    claim: RequestedClaim,
    request: ClaimRequest,
    pools: readonly Pool<Slice>[],
    candidates: readonly Candidate<Slice>[],
  ): PreparedAlternative<Slice>[] {
    return request.alternatives.map((requested) => {
      const matched: boolean[] = [];
      if (requested.count !== 'all') return { requested, count: requested.count, all: undefined, matched };
      for (const { name, isComplete, duplicate } of pools) {
        const problem = isComplete ? duplicate !== undefined && 'invalid' : 'being updated';
        if (!problem) continue;
        throw new AllocationError(
          `claim ${claim.key}, request ${requested.name}: asks for all devices, but resource pool ${name} is currently ${problem}`,
        );
      }
      const all = candidates.filter(({ device }) => this.#matches(claim, requested, device));
      return { requested, count: all.length, all, matched };
    });
  }

  #matches(
    { key }: RequestedClaim,
    { className, selectors }: RequestedDevices,
    device: PooledDevice,
  ): boolean {
    const { matcher, classSelectors } = this.#parts;
    const ofClass = matcher.evaluate(classSelectors(className), device);
    if ('problem' in ofClass) throw selectorError(`class ${className}`, ofClass);
    if (!ofClass.matches) return false;
    const ofRequest = matcher.evaluate(selectors, device);
    if ('problem' in ofRequest) throw selectorError(`claim ${key}`, ofRequest);
    return ofRequest.matches;
  }
}

interface Candidate<Slice extends PoolSlice> {
  readonly device: PooledDevice;
  readonly slice: Slice;
  readonly pool: Pool<Slice>;
  readonly key: string;
}

interface PreparedAlternative<Slice extends PoolSlice> {
  readonly requested: RequestedDevices;
  readonly count: number;
  /** The devices of a request for all that match. */
  readonly all: readonly Candidate<Slice>[] | undefined;
  /** By index of the candidate, whether it matches; filled when it is tried. */
  readonly matched: boolean[];
}

/** A claim, and what is allocated to it so far. */
interface ClaimState<Slice extends PoolSlice> {
  readonly claim: RequestedClaim;
  /** The alternatives of each request. */
  readonly requests: readonly (readonly PreparedAlternative<Slice>[])[];
  readonly constraints: readonly MatchAttribute[];
  readonly devices: AllocatedDevice<Slice>[];
}

interface SearchParts<Slice extends PoolSlice> extends Pick<AllocatorParts, 'isAllocated'> {
  readonly candidates: readonly Candidate<Slice>[];
  matches(claim: RequestedClaim, requested: RequestedDevices, device: PooledDevice): boolean;
  /** False ends the search. */
  countStep(): boolean;
}

/** One search. A method returns true with all devices in the states of the claims, or false with these unchanged. */
class Search<Slice extends PoolSlice> {
  readonly #claims: readonly ClaimState<Slice>[];
  readonly #parts: SearchParts<Slice>;
  /** Keys of devices that this search has allocated. */
  readonly #used = new Set<string>();

  constructor(claims: readonly ClaimState<Slice>[], parts: SearchParts<Slice>) {
    this.#claims = claims;
    this.#parts = parts;
  }

  run(): boolean {
    return this.#allocateRequest(0, 0);
  }

  /** Allocates a request and all that follow it. */
  #allocateRequest(claimIndex: number, requestIndex: number): boolean {
    const state = this.#claims[claimIndex];
    if (!state) return true;
    const alternatives = state.requests[requestIndex];
    if (!alternatives) return this.#allocateRequest(claimIndex + 1, 0);
    const next = () => this.#allocateRequest(claimIndex, requestIndex + 1);
    return alternatives.some((alternative) => {
      const { requested, count, all } = alternative;
      if (count === 0 || state.devices.length + count > maxDevicesPerClaim) return false;
      return all
        ? this.#allocateAll(state, requested, all, 0, next)
        : this.#allocateCount(state, alternative, count, 0, next);
    });
  }

  #allocateAll(
    state: ClaimState<Slice>,
    requested: RequestedDevices,
    all: readonly Candidate<Slice>[],
    index: number,
    next: () => boolean,
  ): boolean {
    if (index === all.length) return next();
    const candidate = all[index]!;
    if (!this.#parts.countStep() || !this.#isFree(requested, candidate)) return false;
    const rest = () => this.#allocateAll(state, requested, all, index + 1, next);
    return this.#tryDevice(state, requested, candidate, rest);
  }

  /** The devices of a request are interchangeable, so only those after the last one are tried. */
  #allocateCount(
    state: ClaimState<Slice>,
    alternative: PreparedAlternative<Slice>,
    count: number,
    start: number,
    next: () => boolean,
  ): boolean {
    if (count === 0) return next();
    const { candidates, matches, countStep } = this.#parts;
    const { requested, matched } = alternative;
    for (let i = start; i <= candidates.length - count; i++) {
      if (!countStep()) return false;
      const candidate = candidates[i]!;
      assertUniqueNames(candidate.pool);
      if (!this.#isFree(requested, candidate)) continue;
      matched[i] ??= matches(state.claim, requested, candidate.device);
      if (!matched[i]) continue;
      const rest = () => this.#allocateCount(state, alternative, count - 1, i + 1, next);
      if (this.#tryDevice(state, requested, candidate, rest)) return true;
    }
    return false;
  }

  /** Allocates one device and the rest. */
  #tryDevice(
    { constraints, devices }: ClaimState<Slice>,
    requested: RequestedDevices,
    candidate: Candidate<Slice>,
    rest: () => boolean,
  ): boolean {
    const { device, slice, key } = candidate;
    const violated = constraints.findIndex((constraint) => !constraint.add(requested, device));
    const added = violated < 0 ? constraints : constraints.slice(0, violated);
    if (violated < 0) {
      if (!requested.hasAdminAccess) this.#used.add(key);
      devices.push({ requested, device, slice });
      if (rest()) return true;
      devices.pop();
      if (!requested.hasAdminAccess) this.#used.delete(key);
    }
    for (const constraint of added) constraint.remove(requested);
    return false;
  }

  #isFree({ hasAdminAccess }: RequestedDevices, { key }: Candidate<Slice>): boolean {
    return hasAdminAccess || !(this.#used.has(key) || this.#parts.isAllocated(key));
  }
}

/** Counts the smallest alternatives. */
function assertDeviceLimit<Slice extends PoolSlice>(
  { key }: RequestedClaim,
  requests: readonly (readonly PreparedAlternative<Slice>[])[],
): void {
  const smallest = requests.map((alternatives) => Math.min(...alternatives.map(({ count }) => count)));
  const sum = smallest.reduce((total, count) => total + count, 0);
  if (sum <= maxDevicesPerClaim) return;
  const limit = `exceeds the claim limit of ${maxDevicesPerClaim}`;
  throw new AllocationError(`claim ${key}: number of requested devices ${sum} ${limit}`);
}

/** Devices with the same name cannot be distinguished. */
function assertUniqueNames({ name, duplicate }: Pool): void {
  if (duplicate === undefined) return;
  throw new AllocationError(`pool ${name} is invalid: duplicate device name ${duplicate}`);
}

const selectorError = (
  origin: string,
  { selectorIndex, problem }: { readonly selectorIndex: number; readonly problem: string },
) => new AllocationError(`${origin}: selector #${selectorIndex}: CEL runtime error: ${problem}`);
