// watch: resolves ListOptions into the start, selectors and bookmarks of a watch.
import { ApiError } from '../../errors/status.ts';
import { contentSelectionOf, keySelectors, selectionOf } from '../../kind/selection.ts';
import type { Selection } from '../../store/selection.ts';
import type { Revision } from '../../store/store.ts';
import type { Api } from '../api.ts';
import type { ListOptions } from '../options/list-options.ts';
import { readRevision } from '../options/query.ts';
import type { Target } from '../target.ts';
import { selectedKey, waitForRevision } from './list.ts';
import { selectsAfterConversion } from './list-converted.ts';

export interface WatchPlan {
  readonly prefix: string;
  readonly under: string;
  /** The one object it can be about, where the selector names it. */
  readonly key: string | undefined;
  readonly select: Selection | undefined;
  /** What its events tell of is to be looked at in the version that is asked for. */
  readonly isLate: boolean;
  /** What it chooses of that. */
  readonly selectLate: Selection | undefined;
  /** Begin with the state as ADDED events, or go on after a revision. */
  readonly start: 'state' | { readonly after: Revision };
  readonly bookmarks: boolean;
  /** Say by a bookmark when the state has been sent. */
  readonly announceInitialEnd: boolean;
}

/** `watchList` is the feature gate of that name: without it the end of the state is not announced. */
export async function planWatch(
  api: Api,
  target: Target,
  options: ListOptions,
  watchList: boolean,
): Promise<WatchPlan> {
  const { resource, namespace } = target;
  const text = options.resourceVersion;
  const asked = readRevision(text);
  if ('problem' in asked) {
    throw new ApiError(500, '', `resourceVersion: Invalid value: ${JSON.stringify(text)}: ${asked.problem}`);
  }
  const fromStart = asked.revision === 0;
  const withState = options.sendInitialEvents ?? fromStart;
  if (text === '') await api.store.head();
  else if (withState && !fromStart) await waitForRevision(api, asked.revision, text);
  const isLate = selectsAfterConversion(resource, options);
  const { labels, fields } = isLate ? keySelectors(options) : options;
  const selectLate = isLate ? contentSelectionOf(resource, options.labels, options.fields) : undefined;
  return {
    prefix: resource.prefix,
    under: resource.range(namespace),
    key: selectedKey(target, options),
    select: selectionOf(resource, labels, fields),
    isLate,
    selectLate,
    start: withState ? 'state' : { after: fromStart ? api.store.revision : asked.revision },
    bookmarks: options.allowWatchBookmarks,
    announceInitialEnd: watchList && options.allowWatchBookmarks,
  };
}
