import { nearest } from '../cli/nearest.ts';
import type { Features } from './features.ts';
import { type Gate, type GateName, type GateStage, gateTable } from './gate-table.ts';

export type GateSettings = Readonly<Record<string, boolean>>;

/** These set all gates of a stage that are not set by their own name. */
const wholeStages: readonly (readonly [GateName, GateStage])[] = [
  ['AllAlpha', 'alpha'],
  ['AllBeta', 'beta'],
];

/** The feature gates of one server: as released, unless set otherwise. */
export class FeatureGates implements Features {
  readonly #on = new Map<GateName, boolean>();
  /** What the operator should know of the gates they set. */
  readonly warnings: readonly string[];

  /** Throws where a setting cannot be followed. */
  constructor(settings: GateSettings) {
    for (const [name, value] of Object.entries(settings)) check(name, value);
    for (const [name, gate] of gates()) this.#on.set(name, settings[name] ?? gate.default);
    for (const [all, stage] of wholeStages) {
      const value = settings[all];
      if (value === undefined) continue;
      for (const [name, gate] of gates()) {
        if (gate.stage === stage && settings[name] === undefined) this.#on.set(name, value);
      }
    }
    this.warnings = Object.entries(settings).flatMap(([name, value]) => warningsFor(name, value));
  }

  enabled(name: GateName): boolean {
    const on = this.#on.get(name);
    if (on === undefined) throw new Error(`there is no feature gate ${name}`);
    return on;
  }

  *[Symbol.iterator](): Generator<{ name: GateName; stage: GateStage; enabled: boolean }> {
    for (const [name, { stage }] of gates()) yield { name, stage, enabled: this.enabled(name) };
  }
}

function gates(): [GateName, Gate][] {
  return Object.entries(gateTable) as [GateName, Gate][];
}

function gateOf(name: string): Gate | undefined {
  return Object.hasOwn(gateTable, name) ? gateTable[name as GateName] : undefined;
}

function check(name: string, value: boolean): void {
  const gate = gateOf(name);
  if (!gate) {
    const meant = nearest(name, Object.keys(gateTable));
    const advice = meant ? `did you mean ${meant}?` : 'docs/reference/feature-gates.md lists those there are';
    throw new Error(`unrecognized feature gate: ${name} (${advice})`);
  }
  if (gate.locked && value !== gate.default) {
    throw new Error(
      `cannot set feature gate ${name} to ${value}, feature is locked to ${gate.default}; leave it out`,
    );
  }
}

function warningsFor(name: string, value: boolean): string[] {
  const stage = gateOf(name)?.stage;
  if (stage !== 'stable' && stage !== 'deprecated') return [];
  const kind = stage === 'stable' ? 'GA' : stage;
  return [`Setting ${kind} feature gate ${name}=${value}. It will be removed in a future release.`];
}
