// The list of alpha and beta feature gates in the output of `--help`.
import { type Gate, gateStateAt, gateTable } from '../kind/features/gate-table.ts';

export function gateHelp(): string[] {
  const lines = Object.entries<Gate>(gateTable).flatMap(([name, gate]) => {
    const state = gateStateAt(gate);
    if (state?.stage !== 'alpha' && state?.stage !== 'beta') return [];
    return [`  ${name}=true|false (${state.stage.toUpperCase()} - default=${state.default})`];
  });
  return ['', 'Feature gates (--feature-gates):', ...lines];
}
