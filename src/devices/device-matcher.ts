// Dynamic resource allocation: whether a device matches selectors, with a cache of results by device.
import type { PooledDevice } from './pools.ts';
import { type DeviceResult, evaluateDevice } from './select.ts';
import type { SelectorExpressions } from './selector-expressions.ts';

/** Results that are kept for a device. */
const maxResults = 64;

export class DeviceMatcher {
  readonly #expressions: SelectorExpressions;
  /** By device, the results by selectors. A device that is published again is another object. */
  readonly #results = new WeakMap<PooledDevice, Map<string, DeviceResult>>();

  constructor(expressions: SelectorExpressions) {
    this.#expressions = expressions;
  }

  evaluate(selectors: readonly string[], device: PooledDevice): DeviceResult {
    if (selectors.length === 0) return { matches: true };
    let results = this.#results.get(device);
    if (!results || results.size >= maxResults) {
      results = new Map();
      this.#results.set(device, results);
    }
    const key = JSON.stringify(selectors);
    const known = results.get(key);
    if (known) return known;
    const result = evaluateDevice(this.#expressions, selectors, device);
    results.set(key, result);
    return result;
  }
}
