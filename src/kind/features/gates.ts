// --feature-gates: the feature gates of one server.

import { nearest } from '../../base/nearest.ts';
import { apiRelease } from '../../base/release.ts';
import { orch } from '../../dialect/index.ts';
import type { Features } from './features.ts';
import {
  type Gate,
  type GateName,
  type GateStage,
  type GateState,
  gateStateAt,
  gateTable,
} from './gate-table.ts';

export type GateSettings = Readonly<Record<string, boolean>>;

/** AllAlpha and AllBeta set every gate of their stage that is not set by name. */
const stageWideGates: readonly (readonly [GateName, GateStage])[] = [
  ['AllAlpha', 'alpha'],
  ['AllBeta', 'beta'],
];

export interface GateContext {
  /** The emulated release, which determines stages and defaults. */
  readonly release: string;
  /** The component that a setting may name as its prefix: `kube:WatchList`. */
  readonly component: string;
}

const defaultGateContext: GateContext = { release: apiRelease, component: orch.componentName };

/** Feature gates with the defaults of a release, overridden by settings. */
export class FeatureGates implements Features {
  /** The gates that exist in the emulated release. */
  readonly #states = new Map<GateName, GateState>();
  readonly #enabled = new Map<GateName, boolean>();
  /** Warnings about settings of GA and deprecated gates. */
  readonly warnings: readonly string[];

  /** Throws if a setting names an unknown gate or component, or changes a locked gate. */
  constructor(prefixedSettings: GateSettings, { release, component }: GateContext = defaultGateContext) {
    for (const [name, gate] of Object.entries(gateTable) as [GateName, Gate][]) {
      const state = gateStateAt(gate, release);
      if (state !== undefined) this.#states.set(name, state);
    }
    const settings = stripComponentPrefix(prefixedSettings, component);
    for (const [name, value] of settings) this.#assertSettable(name, value, release);
    for (const [name, state] of this.#states) this.#enabled.set(name, settings.get(name) ?? state.default);
    for (const [stageWideGate, stage] of stageWideGates) {
      const value = settings.get(stageWideGate);
      if (value === undefined) continue;
      for (const [name, state] of this.#states) {
        if (state.stage === stage && !settings.has(name)) this.#enabled.set(name, value);
      }
    }
    this.warnings = [...settings].flatMap(([name, value]) =>
      warningsFor(name, value, this.#states.get(name as GateName)),
    );
  }

  /** False for a gate that the emulated release does not have. */
  enabled(name: GateName): boolean {
    const isEnabled = this.#enabled.get(name);
    if (isEnabled === undefined && !Object.hasOwn(gateTable, name))
      throw new Error(`unknown feature gate ${name}`);
    return isEnabled ?? false;
  }

  *[Symbol.iterator](): Generator<{ name: GateName; stage: GateStage; enabled: boolean }> {
    for (const [name, { stage }] of this.#states) yield { name, stage, enabled: this.enabled(name) };
  }

  /** Throws if the gate is unknown, not in the emulated release, or locked to another value. */
  #assertSettable(name: string, value: boolean, release: string): void {
    if (!Object.hasOwn(gateTable, name)) {
      const suggestion = nearest(name, Object.keys(gateTable));
      const advice = suggestion ? `did you mean ${suggestion}?` : 'see docs/reference/feature-gates.md';
      throw new Error(`unrecognized feature gate: ${name} (${advice})`);
    }
    const state = this.#states.get(name as GateName);
    if (state === undefined) {
      throw new Error(
        `cannot set feature gate ${name} to ${value}, feature is PreAlpha at emulated version ${release}`,
      );
    }
    if (state.locked && value !== state.default) {
      throw new Error(
        `cannot set feature gate ${name} to ${value}, feature is locked to ${state.default}; leave it out`,
      );
    }
  }
}

/** Turns `orch:WatchList` into `WatchList`. Throws if the prefix names another component. */
function stripComponentPrefix(settings: GateSettings, component: string): Map<string, boolean> {
  const stripped = new Map<string, boolean>();
  for (const [key, value] of Object.entries(settings)) {
    const colon = key.indexOf(':');
    const owner = colon < 0 ? component : key.slice(0, colon);
    if (owner !== component) {
      throw new Error(`component not registered: ${owner} (${component} is the only one here)`);
    }
    stripped.set(key.slice(colon + 1), value);
  }
  return stripped;
}

function warningsFor(name: string, value: boolean, state: GateState | undefined): string[] {
  const stage = state?.stage;
  if (stage !== 'stable' && stage !== 'deprecated') return [];
  const kind = stage === 'stable' ? 'GA' : stage;
  return [`Setting ${kind} feature gate ${name}=${value}. It will be removed in a future release.`];
}
