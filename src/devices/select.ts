// Dynamic resource allocation: evaluates the CEL selectors of a DeviceClass or request for devices.
import type { PooledDevice } from './pools.ts';
import type { SelectorExpressions } from './selector-expressions.ts';

/** The result of all selectors for one device. */
interface DeviceEvaluation {
  readonly device: PooledDevice;
  readonly matches: boolean;
  /** The index of the first selector that does not match; absent if all match. */
  readonly failedSelectorIndex?: number;
}

export interface DeviceSelection {
  /** One for each device, up to the device for which a selector failed. */
  readonly evaluations: readonly DeviceEvaluation[];
  /** The selector that failed to evaluate: then no device may be selected. Absent if all were evaluated. */
  readonly failure?: {
    readonly device: PooledDevice;
    readonly selectorIndex: number;
    readonly problem: string;
  };
}

/**
 * A device matches if every selector returns true for it. An expression that fails or does not return a bool ends the
 * evaluation, because skipping the device could select a wrong one.
 */
export function evaluateSelectors(
  expressions: SelectorExpressions,
  selectors: readonly string[],
  devices: readonly PooledDevice[],
): DeviceSelection {
  const evaluations: DeviceEvaluation[] = [];
  for (const device of devices) {
    const result = evaluateDevice(expressions, selectors, device);
    if ('problem' in result) return { evaluations, failure: { device, ...result } };
    evaluations.push({ device, ...result });
  }
  return { evaluations };
}

/** The result for one device, or the selector that failed to evaluate. */
export type DeviceResult =
  | Omit<DeviceEvaluation, 'device'>
  | { readonly problem: string; readonly selectorIndex: number };

/** Evaluates selectors up to the first that does not match. */
export function evaluateDevice(
  expressions: SelectorExpressions,
  selectors: readonly string[],
  device: PooledDevice,
): DeviceResult {
  for (const [selectorIndex, expression] of selectors.entries()) {
    const result = expressions.evaluate(expression, device);
    if ('problem' in result) return { problem: result.problem, selectorIndex };
    if (!result.matches) return { matches: false, failedSelectorIndex: selectorIndex };
  }
  return { matches: true };
}
