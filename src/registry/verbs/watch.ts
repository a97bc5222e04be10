// watch: resolves ListOptions into a plan: the start, selectors and bookmarks of the watch. The HTTP handler runs it.
import { ApiError } from '../../errors/status.ts';
import { contentSelectionOf, keySelectors, selectionOf } from '../../kind/selection.ts';
import type { Selection } from '../../store/selection.ts';
import type { Revision } from '../../store/store.ts';
import type { ListOptions } from '../options/list-options.ts';
import { parseRevision } from '../options/query.ts';
import type { Target } from '../target.ts';
import type { StorageContext } from '../verb-context.ts';
import { selectedKey, waitForRevision } from './list.ts';
import { selectsAfterConversion } from './list-converted.ts';

export interface WatchPlan {
  /** The key prefixes of the resource, and of the watched objects: all, or those of a namespace. */
  readonly prefix: string;
  readonly keyPrefix: string;
  /** The only object that the watch can select: the field selector names it. */
  readonly key: string | undefined;
  /** The selection to evaluate on stored objects; undefined selects all. */
  readonly select: Selection | undefined;
  /** Selectors are evaluated after conversion to the requested version. */
  readonly selectsAfterConversion: boolean;
  /** The selection to evaluate on converted objects; undefined selects all. */
  readonly selectAfterConversion: Selection | undefined;
  /** Starts with the current state as ADDED events, or after a revision. */
  readonly start: 'state' | { readonly after: Revision };
  readonly bookmarks: boolean;
  /** Sends the bookmark with annotation initial-events-end after the current state. */
  readonly sendsInitialEventsEnd: boolean;
}

/** `watchList` is the feature gate WatchList: without it no bookmark marks the end of the initial events. */
export async function planWatch(
  api: StorageContext,
  target: Target,
  options: ListOptions,
  watchList: boolean,
): Promise<WatchPlan> {
  const { resource, namespace } = target;
  const text = options.resourceVersion;
  const requested = parseRevision(text);
  if ('problem' in requested) {
    throw new ApiError(
      500,
      '',
      `resourceVersion: Invalid value: ${JSON.stringify(text)}: ${requested.problem}`,
    );
  }
  // No resourceVersion, or 0.
  const isUnversioned = requested.revision === 0;
  const sendsState = options.sendInitialEvents ?? isUnversioned;
  if (text === '') await api.store.head();
  else if (sendsState && !isUnversioned) await waitForRevision(api, requested.revision, text);
  const selectsConverted = selectsAfterConversion(resource, options);
  const { labels, fields } = selectsConverted ? keySelectors(options) : options;
  return {
    prefix: resource.prefix,
    keyPrefix: resource.range(namespace),
    key: selectedKey(target, options),
    select: selectionOf(resource, labels, fields),
    selectsAfterConversion: selectsConverted,
    selectAfterConversion: selectsConverted
      ? contentSelectionOf(resource, options.labels, options.fields)
      : undefined,
    start: sendsState ? 'state' : { after: isUnversioned ? api.store.revision : requested.revision },
    bookmarks: options.allowWatchBookmarks,
    sendsInitialEventsEnd: watchList && options.allowWatchBookmarks,
  };
}
