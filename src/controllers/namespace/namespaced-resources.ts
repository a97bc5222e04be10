// A namespaced resource as namespace deletion sees it, stored here or by an aggregated API server.
import type { ErrorSubject } from '../../errors/catalogue.ts';
import { defaultDeleteOptions } from '../../kind/delete-options.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { storedMetadata } from '../../kind/storage/stored-metadata.ts';
import type { Api } from '../../registry/api.ts';
import { unaudited } from '../../registry/audit-hook.ts';
import { type DeleteRequest, foregroundFinalizer, orphanFinalizer } from '../../registry/verbs/delete.ts';
import { deleteAll } from '../../registry/verbs/delete-all.ts';
import type { StoredObject } from '../../store/store.ts';
import { walk } from '../../store/walk.ts';
import type { AggregatedRequest, AggregatedResource } from '../runtime/aggregated-apis.ts';
import { RemainingCounter, type RemainingObjects } from './remaining-content.ts';

export interface NamespacedResource {
  readonly subject: ErrorSubject;
  readonly version: string;
  deleteAll(namespace: string): Promise<void>;
  /** Returns undefined if no objects remain. */
  remaining(namespace: string): Promise<RemainingObjects | undefined>;
}

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
        deleteAll(unaudited(api), resource, { namespace, isMeant: isToBeMarked, options, request });
      const target = { resource, namespace, name: '', subresource: '' };
      await (api.auditHook?.record({ verb: 'deletecollection', target }, act, nothing) ?? act());
    },
    async remaining(namespace) {
      const count = new RemainingCounter();
      await walk(api.store, resource.range(namespace), (stored) => count.add(storedMetadata(stored)));
      return count.of(subject);
    },
  };
}

const nothing = () => undefined;

/** Dependents in the namespace are deleted as well, so nothing waits for them. */
const options = { ...defaultDeleteOptions, propagationPolicy: 'Background' } as const;

/** Skips objects that are already being deleted, unless they wait for their dependents. */
function isToBeMarked(stored: StoredObject): boolean {
  if (!stored.json.includes('"deletionTimestamp":"')) return true;
  const { deletionTimestamp, finalizers = [] } = storedMetadata(stored) ?? {};
  return (
    !deletionTimestamp || finalizers.some((name) => name === orphanFinalizer || name === foregroundFinalizer)
  );
}

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
