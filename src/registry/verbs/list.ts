// list: one page of a collection at one revision, with its continue token.
import { badRequest, expired, tooLargeRevision } from '../../errors/catalogue.ts';
import { ApiError } from '../../errors/status.ts';
import { type ContinueToken, readContinueToken, writeContinueToken } from '../../kind/continue-token.ts';
import { selectionOf } from '../../kind/selection.ts';
import { selectedName } from '../../selectors/field-selector.ts';
import type { ListPage } from '../../store/lists/list-page.ts';
import { Compacted, type Revision } from '../../store/store.ts';
import type { ListOptions } from '../options/list-options.ts';
import { parseRevision } from '../options/query.ts';
import type { Target } from '../target.ts';
import type { ListContext, StorageContext } from '../verb-context.ts';

/** A page of a collection at one revision, with its ListMeta. The caller must release it. */
export interface Listed {
  readonly page: ListPage;
  readonly resourceVersion: string;
  /** '' on the last page. */
  readonly continue: string;
  readonly remaining: number | undefined;
  /** Lists the same page at the same revision again, for callers that read it twice. */
  listAgain(): ListPage | Promise<ListPage>;
}

/** How long a request waits for a revision that this server has not applied yet. */
const futureRevisionTimeoutMs = 3_000;

/** Lists a page of stored objects. `listConverted` does so where selectors apply only after conversion. */
export async function list(api: ListContext, target: Target, options: ListOptions): Promise<Listed> {
  const { resource, namespace } = target;
  const metaGroup = api.metaGroup;
  const token = options.continue === '' ? undefined : readContinueToken(options.continue, metaGroup);
  const exactRevision = token
    ? await revisionOfToken(api, token, options)
    : await requestedRevision(api, options);
  const limit = limitOf(api, options);
  const range = resource.range(namespace);
  const select = selectionOf(resource, options.labels, options.fields);
  const key = selectedKey(target, options);
  try {
    const request = {
      prefix: resource.prefix,
      keyPrefix: range,
      ...(key !== undefined && { key }),
      ...(token && { after: range + token.after }),
      ...(limit > 0 && { limit }),
      ...(select && { select }),
      ...(exactRevision !== undefined && { exactRevision }),
    };
    const page = await api.lists.list(request);
    const { continueAfter, revision } = page;
    return {
      page,
      listAgain: () => api.lists.list({ ...request, exactRevision: revision }),
      resourceVersion: String(exactRevision ?? revision),
      continue:
        continueAfter === undefined
          ? ''
          : writeContinueToken(
              { revision: exactRevision ?? revision, after: continueAfter.slice(range.length) },
              metaGroup,
            ),
      remaining: page.remaining,
    };
  } catch (error) {
    if (error instanceof Compacted) throw token ? tokenExpired(token, metaGroup) : revisionExpired();
    throw error;
  }
}

/** 0 is no limit. kube-apiserver ignores the limit at resourceVersion 0: its watch cache returns the whole list. */
export function limitOf({ dialect }: StorageContext, { resourceVersion, limit }: ListOptions): number {
  return resourceVersion === '0' && !dialect.rules.limitAppliesToVersion0 ? 0 : limit;
}

/** The key of the only object that the field selector can match (metadata.name); undefined if it can match several. */
export function selectedKey({ resource, namespace }: Target, { fields }: ListOptions): string | undefined {
  if (resource.definition.namespaced && namespace === '') return undefined;
  const name = selectedName(fields);
  return name ? resource.key(namespace, name) : undefined;
}

/** The revision of a continue token; undefined for the latest. */
async function revisionOfToken(
  api: StorageContext,
  token: ContinueToken,
  options: ListOptions,
): Promise<Revision | undefined> {
  if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  // Another server may have applied a later revision.
  if (token.revision > api.store.revision) await api.store.head();
  // A revision that does not exist yet comes from a forged token; the latest state is listed instead.
  return token.revision < 0 || token.revision > api.store.revision ? undefined : token.revision;
}

/** The exact revision to list; undefined for the latest state, once that is not older than requested. */
async function requestedRevision(api: StorageContext, options: ListOptions): Promise<Revision | undefined> {
  const { resourceVersion: text } = options;
  if (text === '0') return undefined;
  if (text === '') {
    await api.store.head();
    return undefined;
  }
  const requested = parseRevision(text);
  if ('problem' in requested) {
    throw badRequest(
      `invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(text)}: ${requested.problem}`,
    );
  }
  await waitForRevision(api, requested.revision, text);
  // As in kube-apiserver, a limit without a resourceVersionMatch means `Exact`.
  const isExact =
    options.resourceVersionMatch === 'Exact' || (options.resourceVersionMatch === '' && options.limit > 0);
  return isExact ? requested.revision : undefined;
}

/** Waits until the store has applied the revision; throws 504 "Too large resource version" on timeout. */
export async function waitForRevision(api: StorageContext, revision: Revision, text: string): Promise<void> {
  if (api.store.revision >= revision) return;
  await new Promise<void>((resolve) => {
    const stopWaiting = api.clock.after(futureRevisionTimeoutMs, done);
    const unsubscribe = api.store.subscribe(() => {
      if (api.store.revision >= revision) done();
    });
    function done() {
      stopWaiting();
      unsubscribe();
      resolve();
    }
  });
  if (api.store.revision < revision) throw tooLargeRevision(text, api.store.revision);
}

const revisionExpired = () => expired('The resourceVersion for the provided list is too old.');

/** Revision -1 in a token continues at the latest revision. */
function tokenExpired(token: ContinueToken, metaGroup: string): ApiError {
  return new ExpiredToken(writeContinueToken({ revision: -1, after: token.after }, metaGroup));
}

/** The revision of the token was compacted. The token in the Status continues the list at the latest revision. */
class ExpiredToken extends ApiError {
  readonly #token: string;

  constructor(token: string) {
    super(
      410,
      'Expired',
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
        'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
        'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
        'deleted between the time the first chunk was returned and now may show up in the list.',
    );
    this.#token = token;
  }

  override toStatus() {
    return { ...super.toStatus(), metadata: { continue: this.#token } };
  }
}
