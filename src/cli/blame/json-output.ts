// `orch blame -o json`: the field managers of an object as JSON.
import type { JsonObject } from '../../codec/json/json-value.ts';
import { stringifyJson } from '../../codec/json/stringify.ts';
import { formatPath } from '../../patch/apply/field-set.ts';
import { type Blame, ownedValues } from './blame.ts';

/** Managers, and each owned field with its path, value and the indexes of its managers. */
export function blameAsJson(object: JsonObject, { owners, root, missing }: Blame): string {
  const indexOfOwner = new Map(owners.map((owner, index) => [owner, index]));
  const { apiVersion, kind } = object;
  const data = {
    apiVersion,
    kind,
    owners,
    fields: [...ownedValues(root)].map((owned) => ({
      path: formatPath(owned.path),
      owners: owned.owners.map((owner) => indexOfOwner.get(owner)),
      value: owned.value,
    })),
    missing: missing.map(({ path, owner }) => ({ path: formatPath(path), owner: indexOfOwner.get(owner) })),
  };
  return stringifyJson(data);
}
