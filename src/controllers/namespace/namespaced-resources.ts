import type { ErrorSubject } from '../../errors/catalogue.ts';
import { plainDelete } from '../../kind/delete-options.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { storedMetadata } from '../../kind/storage/stored-metadata.ts';
import type { Api } from '../../registry/api.ts';
import { unseen } from '../../registry/audit-hook.ts';
import { type DeleteRequest, foreground, orphan } from '../../registry/verbs/delete.ts';
import { deleteAll } from '../../registry/verbs/delete-all.ts';
import type { StoredObject } from '../../store/store.ts';
import { walk } from '../../store/walk.ts';
import type { AggregatedRequest, AggregatedResource } from '../runtime/aggregated-apis.ts';
import { RemainingCounter, type RemainingObjects } from './remaining-content.ts';

/** What a namespace has of one kind, wherever that is kept. */
export interface NamespacedResource {
  readonly subject: ErrorSubject;
  readonly version: string;
  deleteAll(namespace: string): Promise<void>;
  /** What is left of it; undefined where nothing is. */
  remaining(namespace: string): Promise<RemainingObjects | undefined>;
}

/** Objects that are stored here. */
export function storedResource(
  api: Api,
  resource: ServedResource,
  request: DeleteRequest,
): NamespacedResource {
  const { subject, version } = resource;
  return {
    subject,
    version,
    async deleteAll(namespace) {
      const act = () =>
        deleteAll(unseen(api), resource, { namespace, isMeant: isToBeMarked, options, request });
      const target = { resource, namespace, name: '', subresource: '' };
      await (api.witness?.see({ verb: 'deletecollection', target }, act, nothing) ?? act());
    },
    async remaining(namespace) {
      const count = new RemainingCounter();
      await walk(api.store, resource.range(namespace), (stored) => count.add(storedMetadata(stored)));
      return count.of(subject);
    },
  };
}

const nothing = () => undefined;

/** Dependents in the namespace go anyway: nothing waits for them, and nothing is done for them. */
const options = { ...plainDelete, propagationPolicy: 'Background' } as const;

/** What is marked already is only waited for, unless it waits for its dependents. */
function isToBeMarked(stored: StoredObject): boolean {
  if (!stored.json.includes('"deletionTimestamp":"')) return true;
  const { deletionTimestamp, finalizers = [] } = storedMetadata(stored) ?? {};
  return !deletionTimestamp || finalizers.some((name) => name === orphan || name === foreground);
}

/** Objects that another server keeps. */
export function aggregatedResource(
  objects: AggregatedResource,
  asker: AggregatedRequest,
): NamespacedResource {
  const { group, version, resource } = objects;
  return {
    subject: { group, resource },
    version,
    deleteAll: (namespace) => objects.deleteAll(namespace, asker),
    async remaining(namespace) {
      const count = new RemainingCounter();
      for await (const metadata of objects.list(namespace, asker)) count.add(metadata);
      return count.of({ group, resource });
    },
  };
}
