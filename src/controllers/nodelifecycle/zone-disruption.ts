// node-lifecycle-controller: the disruption state of zones, and how fast it lets the controller taint their nodes (upstream:
// handleDisruption).

export type ZoneState = 'Initial' | 'Normal' | 'PartialDisruption' | 'FullDisruption';

export interface ZoneNodes {
  readonly ready: number;
  readonly notReady: number;
}

export interface DisruptionPlan {
  readonly states: ReadonlyMap<string, ZoneState>;
  /** Nodes to taint per second, of the zones for which that changes. */
  readonly rates: ReadonlyMap<string, number>;
  /** `stop`: no zone has a ready node any more, so the control plane is probably at fault. `resume`: this has ended. */
  readonly transition: 'stop' | 'resume' | undefined;
}

/** Upstream's default of --node-eviction-rate, in nodes per second; the others are those of flags with similar names. */
export const evictionRate = 0.1;
const secondaryEvictionRate = 0.01;
const largeZoneSize = 50;
const unhealthyZoneThreshold = 0.55;

export function zoneStateOf({ ready, notReady }: ZoneNodes): ZoneState {
  if (ready === 0 && notReady > 0) return 'FullDisruption';
  const isUnhealthy = notReady > 2 && notReady / (notReady + ready) >= unhealthyZoneThreshold;
  return isUnhealthy ? 'PartialDisruption' : 'Normal';
}

export function planDisruption(
  oldStates: ReadonlyMap<string, ZoneState>,
  zones: ReadonlyMap<string, ZoneNodes>,
): DisruptionPlan {
  const states = new Map([...zones].map(([zone, nodes]) => [zone, zoneStateOf(nodes)]));
  const isFull = (state: ZoneState) => state === 'FullDisruption';
  const areDisrupted = [...states.values()].every(isFull);
  const wereDisrupted = [...states.keys()].every((zone) => isFull(oldStates.get(zone) ?? 'Initial'));
  if (areDisrupted && wereDisrupted) return { states, rates: new Map(), transition: undefined };
  if (areDisrupted) {
    return { states, rates: new Map([...states.keys()].map((zone) => [zone, 0])), transition: 'stop' };
  }
  const changed = [...states].filter(([zone, state]) => wereDisrupted || oldStates.get(zone) !== state);
  const rates = new Map(changed.map(([zone, state]) => [zone, rateOf(state, zones.get(zone)!)]));
  return { states, rates, transition: wereDisrupted ? 'resume' : undefined };
}

function rateOf(state: ZoneState, { ready, notReady }: ZoneNodes): number {
  if (state !== 'PartialDisruption') return evictionRate;
  return ready + notReady > largeZoneSize ? secondaryEvictionRate : 0;
}
