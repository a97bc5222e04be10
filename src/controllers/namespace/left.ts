import type { ErrorSubject } from '../../errors/catalogue.ts';
import type { Api } from '../../resource/api.ts';
import type { ServedResource } from '../../resource/registry.ts';
import { storedMetadata } from '../../resource/stored-metadata.ts';
import { walk } from '../../store/walk.ts';

/** What is left in a namespace that has been told to go. */
export interface Left {
  readonly kinds: readonly LeftOfKind[];
  /** Why what should be gone is not. */
  readonly failures: readonly Error[];
}

export interface LeftOfKind {
  readonly subject: ErrorSubject;
  readonly count: number;
  /** How many each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** How long what is left may take to end by itself. */
  readonly seconds: number;
}

/** Who takes care of a finalizer takes about so long. */
const finalizerSeconds = 15;

/** Counts the objects of a kind that are left in a namespace; undefined where there are none. */
export async function leftOf(
  api: Api,
  resource: ServedResource,
  namespace: string,
): Promise<LeftOfKind | undefined> {
  let count = 0;
  let seconds = 0;
  const finalizers = new Map<string, number>();
  await walk(api.store, resource.range(namespace), (stored) => {
    count++;
    const metadata = storedMetadata(stored);
    seconds = Math.max(seconds, metadata?.deletionGracePeriodSeconds ?? 0);
    for (const name of metadata?.finalizers ?? []) finalizers.set(name, (finalizers.get(name) ?? 0) + 1);
  });
  if (count === 0) return undefined;
  if (seconds === 0 && finalizers.size > 0) seconds = finalizerSeconds;
  return { subject: resource.subject, count, finalizers, seconds };
}
