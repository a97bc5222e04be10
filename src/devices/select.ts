// Dynamic resource allocation: selects devices with the selectors of a DeviceClass or request.
import type { PooledDevice } from './pools.ts';
import type { SelectorExpressions } from './selector-expressions.ts';

/** The result of all selectors for one device. */
interface DeviceEvaluation {
  readonly device: PooledDevice;
  readonly matches: boolean;
  /** The index of the first selector that does not match; absent if all match. */
  readonly failed?: number;
}

export interface DeviceSelection {
  /** Of all devices, or of those before the one that aborted the evaluation. */
  readonly evaluations: readonly DeviceEvaluation[];
  /** A selector that failed to evaluate: then no device may be selected. */
  readonly aborted?: { readonly device: PooledDevice; readonly selector: number; readonly problem: string };
}

/**
 * Evaluates the selectors for each device. An expression that fails or does not return a bool aborts the evaluation, because
 * skipping the device could select a wrong one.
 */
export function select(
  expressions: SelectorExpressions,
  selectors: readonly string[],
  devices: readonly PooledDevice[],
): DeviceSelection {
  const evaluations: DeviceEvaluation[] = [];
  for (const device of devices) {
    let failed: number | undefined;
    for (const [selector, expression] of selectors.entries()) {
      const selection = expressions.select(expression, device);
      if ('problem' in selection) {
        return { evaluations, aborted: { device, selector, problem: selection.problem } };
      }
      if (selection.fits) continue;
      failed = selector;
      break;
    }
    evaluations.push({ device, matches: failed === undefined, ...(failed !== undefined && { failed }) });
  }
  return { evaluations };
}
