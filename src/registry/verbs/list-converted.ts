// list of custom resources whose selectors can only be evaluated after conversion to the requested version.
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { type ContinueToken, readContinueToken, writeContinueToken } from '../../kind/continue-token.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { contentSelectionOf, keySelectors, type Selectors } from '../../kind/selection.ts';
import { type Converted, manyInVersion } from '../../kind/storage/converted.ts';
import { Unreadable } from '../../kind/storage/unreadable.ts';
import type { ListedObject } from '../../store/lists/runs-object.ts';
import type { ListPage } from '../../store/lists/runs-page.ts';
import type { Selection } from '../../store/selection.ts';
import type { Api } from '../api.ts';
import type { ListOptions } from '../options/list-options.ts';
import type { Target } from '../target.ts';
import { type Listed, limitOf, list } from './list.ts';

/** A page of objects that were converted, whole. */
export interface ConvertedPage extends Pick<Listed, 'resourceVersion' | 'continue' | 'remaining'> {
  readonly objects: readonly Converted[];
}

/** Objects that are looked at together where few of them may be chosen. */
const minBatchSize = 100;

/**
 * Whether objects are chosen as they are in the version that is asked for, and not by what was stored beside them: a
 * webhook makes them what they are, or they may have been stored before there were fields to choose them by.
 */
export function selectsAfterConversion({ definition }: ServedResource, { fields }: Selectors): boolean {
  if (!definition.isCustom) return false;
  return (
    definition.converter !== undefined || fields.length > keySelectors({ labels: [], fields }).fields.length
  );
}

export async function listConverted(api: Api, target: Target, options: ListOptions): Promise<ConvertedPage> {
  const select = contentSelectionOf(target.resource, options.labels, options.fields);
  const limit = limitOf(api, options) || Number.POSITIVE_INFINITY;
  const found: Converted[] = [];
  let asked: ListOptions = { ...options, ...(select && keySelectors(options)) };
  for (;;) {
    const missing = limit - found.length;
    if (select && missing < minBatchSize) asked = { ...asked, limit: minBatchSize };
    const page = await convertedPage(api, target, asked, select);
    found.push(...page.objects.slice(0, missing));
    const { resourceVersion } = page;
    if (page.objects.length > missing) {
      const last = page.objects[missing - 1]!;
      return {
        objects: found,
        resourceVersion,
        continue: tokenAfter(api, target, page, last),
        remaining: undefined,
      };
    }
    if (page.continue === '' || found.length >= limit || !select) {
      return {
        objects: found,
        resourceVersion,
        continue: page.continue,
        remaining: select ? undefined : page.remaining,
      };
    }
    asked = { ...asked, continue: page.continue, resourceVersion: '', resourceVersionMatch: '' };
  }
}

async function convertedPage(
  api: Api,
  target: Target,
  options: ListOptions,
  select: Selection | undefined,
): Promise<ConvertedPage> {
  const { page, resourceVersion, continue: token, remaining } = await list(api, target, options);
  const objects: Converted[] = [];
  for await (const batch of manyInVersion(target.resource, await readWholePage(page))) {
    objects.push(...(select ? batch.filter((one) => isSelected(select, one)) : batch));
  }
  return { objects, resourceVersion, continue: token, remaining };
}

/** Copies the page before conversion: a webhook call may outlive the pinned view. */
async function readWholePage(page: ListPage): Promise<readonly ListedObject[]> {
  const turns = new CooperativeYield();
  const objects: ListedObject[] = [];
  try {
    for (const batch of page.batches()) {
      objects.push(...batch);
      await turns.next();
    }
    return objects;
  } finally {
    page.release();
  }
}

/** An undecodable object counts as selected, so that the list reports it. */
const isSelected = (select: Selection, one: Converted) =>
  one instanceof Unreadable || select.matches(one.labels, one.fields, one.key);

function tokenAfter(
  api: Api,
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
