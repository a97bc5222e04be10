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
    let failedSelectorIndex: number | undefined;
    for (const [selectorIndex, expression] of selectors.entries()) {
      const result = expressions.evaluate(expression, device);
      if ('problem' in result) {
        return { evaluations, failure: { device, selectorIndex, problem: result.problem } };
      }
      if (!result.matches) {
        failedSelectorIndex = selectorIndex;
        break;
      }
    }
    evaluations.push(
      failedSelectorIndex === undefined
        ? { device, matches: true }
        : { device, matches: false, failedSelectorIndex },
    );
  }
  return { evaluations };
}
