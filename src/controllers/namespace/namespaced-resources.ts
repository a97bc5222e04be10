// namespace-controller: deletes and counts the objects of one namespaced resource, stored here or by an aggregated API server.
import type { Client } from '../../client/client.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import type { Lister } from '../../client/lister.ts';
import type { ErrorSubject } from '../../errors/catalogue.ts';
import { foregroundFinalizer, orphanFinalizer } from '../../kind/delete-options.ts';
import type { AggregatedRequest, AggregatedResource } from '../runtime/aggregated-apis.ts';
import { RemainingCounter, type RemainingObjects } from './remaining-content.ts';

export interface NamespacedResource {
  readonly subject: ErrorSubject;
  readonly version: string;
  /** Deletes the objects, or marks them for deletion. */
  deleteAll(namespace: string): Promise<void>;
  /** Returns undefined if no objects remain. */
  remaining(namespace: string): Promise<RemainingObjects | undefined>;
}

export function storedResource(
  client: Client,
  lister: Lister<unknown>,
  caller: AggregatedRequest,
): NamespacedResource {
  const { subject, version } = lister.resource;
  return {
    subject,
    version,
    async deleteAll(namespace) {
      await client.deleteCollection(lister, namespace, deleteOptions, needsDeletion, caller);
    },
    async remaining(namespace) {
      const counter = new RemainingCounter();
      await lister.walk(namespace, (object) => counter.add(object.metadata()));
      return counter.summarize(subject);
    },
  };
}

/** Dependents in the namespace are deleted as well, so no object waits for them. */
const deleteOptions = { propagationPolicy: 'Background' } as const;

/** Skips objects that are already being deleted, unless they wait for their dependents. */
function needsDeletion(object: InformerObject<unknown>): boolean {
  // Most objects are not being deleted, and need not be parsed.
  if (!object.json.includes('"deletionTimestamp":"')) return true;
  const { deletionTimestamp, finalizers = [] } = object.metadata() ?? {};
  return (
    !deletionTimestamp || finalizers.some((name) => name === orphanFinalizer || name === foregroundFinalizer)
  );
}

export function aggregatedResource(
  objects: AggregatedResource,
  caller: AggregatedRequest,
): NamespacedResource {
  const { group, version, resource } = objects;
  return {
    subject: { group, resource },
    version,
    deleteAll: (namespace) => objects.deleteAll(namespace, caller),
    async remaining(namespace) {
      const counter = new RemainingCounter();
      for await (const metadata of objects.list(namespace, caller)) counter.add(metadata);
      return counter.summarize({ group, resource });
    },
  };
}
