// list of custom resources whose selectors can only be evaluated after conversion to the requested version.
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { type ContinueToken, readContinueToken, writeContinueToken } from '../../kind/continue-token.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { contentSelectionOf, keySelectors, type Selectors } from '../../kind/selection.ts';
import { type Converted, convertInBatches } from '../../kind/storage/convert-stored.ts';
import { Unreadable } from '../../kind/storage/unreadable.ts';
import type { ListPage } from '../../store/lists/list-page.ts';
import type { ListedObject } from '../../store/lists/listed-object.ts';
import type { Selection } from '../../store/selection.ts';
import type { ListOptions } from '../options/list-options.ts';
import type { Target } from '../target.ts';
import type { ListContext } from '../verb-context.ts';
import { type Listed, limitOf, list } from './list.ts';

/** A page of converted objects. */
export interface ConvertedPage extends Pick<Listed, 'resourceVersion' | 'continue' | 'remaining'> {
  readonly objects: readonly Converted[];
}

/** Minimum number of objects to convert per batch, since the selector may match few of them. */
const minBatchSize = 100;

/**
 * Whether selectors must be evaluated on the converted object instead of on the stored labels and fields: a conversion
 * webhook may change these, and an object may have been stored before its selectableFields were declared.
 */
export function selectsAfterConversion({ definition }: ServedResource, { fields }: Selectors): boolean {
  if (!definition.isCustom) return false;
  return (
    definition.converter !== undefined || fields.length > keySelectors({ labels: [], fields }).fields.length
  );
}

/** Lists and converts batches until the limit is reached or the collection ends. */
export async function listConverted(
  api: ListContext,
  target: Target,
  options: ListOptions,
): Promise<ConvertedPage> {
  const selection = contentSelectionOf(target.resource, options.labels, options.fields);
  const limit = limitOf(api, options) || Number.POSITIVE_INFINITY;
  const selected: Converted[] = [];
  // The store can only evaluate selectors on names; the others are evaluated on converted objects.
  let batchOptions: ListOptions = { ...options, ...(selection && keySelectors(options)) };
  for (;;) {
    const missing = limit - selected.length;
    if (selection && missing < minBatchSize) batchOptions = { ...batchOptions, limit: minBatchSize };
    const page = await convertedPage(api, target, batchOptions, selection);
    selected.push(...page.objects.slice(0, missing));
    const { resourceVersion } = page;
    if (page.objects.length > missing) {
      // The batch has more objects than the page may have: the next page starts after the last one taken.
      const last = page.objects[missing - 1]!;
      return {
        objects: selected,
        resourceVersion,
        continue: tokenAfter(api, target, page, last),
        remaining: undefined,
      };
    }
    if (page.continue === '' || selected.length >= limit || !selection) {
      return {
        objects: selected,
        resourceVersion,
        continue: page.continue,
        remaining: selection ? undefined : page.remaining,
      };
    }
    // The continue token names the revision; a resourceVersion beside it would be rejected.
    batchOptions = {
      ...batchOptions,
      continue: page.continue,
      resourceVersion: '',
      resourceVersionMatch: '',
    };
  }
}

async function convertedPage(
  api: ListContext,
  target: Target,
  options: ListOptions,
  selection: Selection | undefined,
): Promise<ConvertedPage> {
  const { page, resourceVersion, continue: token, remaining } = await list(api, target, options);
  const objects: Converted[] = [];
  for await (const batch of convertInBatches(target.resource, await readWholePage(page))) {
    objects.push(...(selection ? batch.filter((object) => isSelected(selection, object)) : batch));
  }
  return { objects, resourceVersion, continue: token, remaining };
}

/** Copies the page before conversion: a webhook call may outlive the pinned snapshot. */
async function readWholePage(page: ListPage): Promise<readonly ListedObject[]> {
  const yielding = new CooperativeYield();
  const objects: ListedObject[] = [];
  try {
    for (const batch of page.batches()) {
      objects.push(...batch);
      await yielding.next();
    }
    return objects;
  } finally {
    page.release();
  }
}

/** An undecodable object counts as selected, so that the list reports it. */
const isSelected = (selection: Selection, object: Converted) =>
  object instanceof Unreadable || selection.matches(object.labels, object.selectableFields, object.key);

/** The continue token of a page that ends with this object, at the revision of the batch. */
function tokenAfter(
  api: ListContext,
  { resource, namespace }: Target,
  page: ConvertedPage,
  { key }: Converted,
): string {
  const range = resource.range(namespace);
  const { revision }: ContinueToken =
    page.continue === ''
      ? { revision: Number(page.resourceVersion), after: '' }
      : readContinueToken(page.continue, api.metaGroup);
  return writeContinueToken({ revision, after: key.slice(range.length) }, api.metaGroup);
}
