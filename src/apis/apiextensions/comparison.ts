// Custom resource validation: compares values with their old values, for ratcheting (unchanged values may stay invalid).
import { isObject, type JsonValue } from '../../codec/json/json-value.ts';
import { isSameValue } from '../../patch/apply/values.ts';

/**
 * Compares values with their old values and caches the results, because validation compares an object first and then
 * every value inside it.
 */
export class Comparison {
  readonly #results = new WeakMap<object, { readonly old: JsonValue; readonly isSame: boolean }>();

  isSame(value: JsonValue, old: JsonValue): boolean {
    if (!isObject(value) && !Array.isArray(value)) return isSameValue(value, old);
    const cached = this.#results.get(value);
    if (cached && cached.old === old) return cached.isSame;
    const isSame = Array.isArray(value) ? this.#isSameList(value, old) : this.#isSameObject(value, old);
    this.#results.set(value, { old, isSame });
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
