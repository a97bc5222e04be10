// Custom resource validation: compares values with their old values, for ratcheting.
import { isObject, type JsonValue } from '../../codec/json/json-value.ts';
import { isSameValue } from '../../patch/apply/values.ts';

/**
 * Tells whether values are as they were, of an object and then of all within it: what was compared once is not gone
 * through again for every level around it.
 */
export class Comparison {
  readonly #same = new WeakMap<object, { readonly old: JsonValue; readonly isSame: boolean }>();

  isSame(value: JsonValue, old: JsonValue): boolean {
    if (!isObject(value) && !Array.isArray(value)) return isSameValue(value, old);
    const known = this.#same.get(value);
    if (known && known.old === old) return known.isSame;
    const isSame = Array.isArray(value) ? this.#isSameList(value, old) : this.#isSameObject(value, old);
    this.#same.set(value, { old, isSame });
    return isSame;
  }

  #isSameList(value: readonly JsonValue[], old: JsonValue): boolean {
    return (
      Array.isArray(old) &&
      value.length === old.length &&
      value.every((item, index) => this.isSame(item, old[index]!))
    );
  }

  #isSameObject(value: Readonly<Record<string, JsonValue>>, old: JsonValue): boolean {
    if (!isObject(old)) return false;
    for (const key in value) {
      if (value[key] === undefined && old[key] === undefined) continue;
      if (value[key] === undefined || old[key] === undefined) return false;
      if (!this.isSame(value[key], old[key])) return false;
    }
    for (const key in old) if (old[key] !== undefined && value[key] === undefined) return false;
    return true;
  }
}
