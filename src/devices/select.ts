// Dynamic resource allocation: selects devices with the selectors of a DeviceClass or request.
import type { PooledDevice } from './pools.ts';
import type { SelectorExpressions } from './selector-expressions.ts';

/** Whether a device matches, or the error. */
interface Verdict {
  readonly device: PooledDevice;
  readonly matches: boolean;
  /** Which selector it does not satisfy, counted from 0. */
  readonly failed?: number;
}

export interface Selected {
  /** Of the devices up to the one that ended it, if one did. */
  readonly verdicts: readonly Verdict[];
  /** A selector that failed to evaluate: then no device may be selected. */
  readonly aborted?: { readonly device: PooledDevice; readonly selector: number; readonly problem: string };
}

/**
 * Which devices satisfy every selector. An expression that fails for one device, or is neither true nor false of it, ends
 * it all: who cannot say whether a device fits must not go on to the next.
 */
export function select(
  expressions: SelectorExpressions,
  selectors: readonly string[],
  devices: readonly PooledDevice[],
): Selected {
  const verdicts: Verdict[] = [];
  for (const device of devices) {
    let failed: number | undefined;
    for (const [selector, expression] of selectors.entries()) {
      const selection = expressions.select(expression, device);
      if ('problem' in selection) {
        return { verdicts, aborted: { device, selector, problem: selection.problem } };
      }
      if (selection.fits) continue;
      failed = selector;
      break;
    }
    verdicts.push({ device, matches: failed === undefined, ...(failed !== undefined && { failed }) });
  }
  return { verdicts };
}
