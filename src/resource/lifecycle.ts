import { forbidden, notFound } from '../errors/catalogue.ts';
import { ApiError } from '../errors/status.ts';
import { decodePairs } from '../store/pairs.ts';
import type { Api, Target } from './api.ts';

const namespaces = { group: '', resource: 'namespaces' };

/** Nothing is created in a namespace that does not exist or is on its way out. */
export function refuseWithoutNamespace(api: Api, target: Target, name: string): void {
  const { resource, namespace } = target;
  if (!resource.definition.namespaced) return;
  const stored = api.store.get(`namespaces/${namespace}`);
  if (!stored) throw notFound(namespaces, namespace);
  if (decodePairs(stored.fields).get('status.phase') !== 'Terminating') return;
  const refusal = forbidden(
    resource.subject,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  throw new ApiError(refusal.code, refusal.reason, refusal.message, {
    ...refusal.details,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  });
}

/** The namespaces a cluster cannot do without stay. */
export function refuseToDeleteSystemNamespace(api: Api, target: Target): void {
  const { resource, name } = target;
  if (resource.prefix !== 'namespaces' || !api.dialect.immortalNamespaces.includes(name)) return;
  throw forbidden(resource.subject, name, 'this namespace may not be deleted');
}
