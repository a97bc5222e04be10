import { ask, get, type JsonObject, post, subject } from '../case.ts';
import { add, jsonPatch, merge, strategic, withoutRevision } from './patch-bodies.ts';
import { patchedNetwork } from './patch-kinds-network.ts';
import { patchedStorage } from './patch-kinds-storage.ts';
import { patchedWorkloads } from './patch-kinds-workloads.ts';
import { withAccount } from './pod-spec-cases.ts';

export interface PatchedKind {
  path: (rest?: string) => string;
  make: JsonObject;
  /** Merged with a merge patch and strategically. */
  patches: JsonObject[];
  /** Only strategically: what is about keys and directives. */
  strategic?: JsonObject[];
  steps: JsonObject[][];
}

export const patchedKinds = subject('patch-kinds', [
  ...Object.entries({ ...patchedWorkloads, ...patchedNetwork, ...patchedStorage }).map(
    ([kind, { path, make, patches, strategic: keyed = [], steps }]) => {
      const name = make.metadata && (make.metadata as JsonObject).name === '{name}' ? '{name}' : 'a';
      const dry = path(`${name}?dryRun=All`);
      return ask(
        kind,
        kind === 'Pod' ? [withAccount] : [],
        post(path(), make),
        patches.map((patch) => merge(dry, patch)).map(withoutRevision),
        [...patches, ...keyed].map((patch) => strategic(dry, patch)),
        steps.map((patch) => jsonPatch(dry, patch)).map(withoutRevision),
        strategic(path(`${name}?fieldManager=first`), {
          metadata: { labels: { a: 'b' }, finalizers: ['x.y/z'] },
        }),
        jsonPatch(path(`${name}?fieldManager=second`), [add('/metadata/labels/c', 'd')]),
        merge(path(name), { metadata: { labels: { a: null }, finalizers: null } }),
        merge(path(name), { metadata: { labels: null } }),
        get(path(name)),
      );
    },
  ),
]);
