// EndpointSlice controller: topology aware routing (annotation topology-mode: Auto), which assigns endpoints to zones in proportion to
// the processors of their nodes (upstream: topologycache).
import type { Endpoint } from '../../apis/discovery/endpointslice.ts';

/** How much more traffic than its share an endpoint may get. */
const overloadThreshold = 0.2;

/** The share of each zone in the processors of all nodes; undefined if a node does not say its zone or processors. */
export type ZoneRatios = ReadonlyMap<string, number> | undefined;

export type HintAllocation =
  /** The zone of each ready endpoint, in their order. */
  | { readonly zones: readonly string[] }
  /** Why there are no hints, in upstream's words. */
  | { readonly problem: string };

export function allocateHints(ready: readonly Endpoint[], ratios: ZoneRatios): HintAllocation {
  if (!ratios) {
    return {
      problem: 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes',
    };
  }
  const counts = `(${ready.length} endpoints, ${ratios.size} zones)`;
  if (ratios.size > ready.length) return { problem: `Insufficient number of endpoints ${counts}` };
  const desired = new Map<string, number>();
  let minimumTotal = 0;
  for (const [zone, ratio] of ratios) {
    const share = ratio * ready.length;
    // Rounded, because 3 * (1/3) may be a little more than 1.
    const minimum = Math.ceil(Number((share / (1 + overloadThreshold)).toFixed(9)));
    desired.set(zone, Math.max(share, minimum));
    minimumTotal += minimum;
  }
  if (minimumTotal > ready.length) {
    return {
      problem: `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ${counts}`,
    };
  }
  const zones: string[] = [];
  for (const { zone } of ready) {
    if (!zone) return { problem: 'One or more endpoints do not have a zone specified' };
    zones.push(zone);
  }
  return { zones: redistribute(zones, desired) };
}

/** Moves endpoints from zones that have more than their share to zones that have less. */
function redistribute(zones: readonly string[], desired: ReadonlyMap<string, number>): string[] {
  const surplus = new Map([...desired].map(([zone, share]) => [zone, countIn(zones, zone) - share]));
  const result = [...zones];
  for (;;) {
    const [giving, toGive] = extreme(surplus, 1);
    const [receiving, missing] = extreme(surplus, -1);
    const isBalanced = (toGive < 1 && missing < 1) || toGive < 0.5 || missing < 0.5;
    const index = result.indexOf(giving);
    if (isBalanced || index < 0) return result;
    result[index] = receiving;
    surplus.set(giving, toGive - 1);
    surplus.set(receiving, 1 - missing);
  }
}

const countIn = (zones: readonly string[], zone: string) => zones.filter((each) => each === zone).length;

/** The zone with the largest surplus, or with sign -1 the one that lacks most, and how much. */
function extreme(surplus: ReadonlyMap<string, number>, sign: 1 | -1): [string, number] {
  let found: [string, number] = ['', 0];
  for (const [zone, amount] of surplus) if (amount * sign > found[1]) found = [zone, amount * sign];
  return found;
}
