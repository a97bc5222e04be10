// Admission plugin NamespaceLifecycle: protects namespaces that are missing, terminating or required by the cluster.
import { notFound } from '../errors/catalogue.ts';
import { ApiError } from '../errors/status.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { Target } from '../registry/target.ts';
import type { StorageContext } from '../registry/verb-context.ts';
import type { NamespaceAdmission } from '../registry/write/admission-control.ts';
import { decodePairs } from '../store/stored-object.ts';
import { newForbidden } from './new-forbidden.ts';

export const namespaceLifecycle = 'NamespaceLifecycle';

const namespaces = { group: '', resource: 'namespaces' };

/**
 * The verbs call this plugin directly instead of through the chain: it handles almost every write, and a write that no
 * other plugin handles can be prepared on a worker thread.
 */
export class NamespaceLifecycle implements NamespaceAdmission {
  readonly #api: Pick<StorageContext, 'store' | 'dialect'>;
  readonly #isEnabled: boolean;
  readonly #authorizationGroup: string;

  constructor(api: Pick<StorageContext, 'store' | 'dialect'>, isEnabled: boolean) {
    this.#api = api;
    this.#isEnabled = isEnabled;
    this.#authorizationGroup = api.dialect.groupName('authorization');
  }

  /** Rejects creation in a missing or terminating namespace. Access reviews are exempt. */
  assertCreateAllowed(target: Target, object: ApiObject): void {
    const { resource, namespace } = target;
    if (!this.#isEnabled || !resource.definition.namespaced) return;
    if (resource.group === this.#authorizationGroup) return;
    const stored = this.#api.store.get(`namespaces/${namespace}`);
    if (!stored) throw notFound(namespaces, namespace);
    // status.phase is a selectable field, so the Namespace itself need not be decoded.
    if (decodePairs(stored.selectableFields).get('status.phase') !== 'Terminating') return;
    const { code, reason, message, details } = newForbidden(
      { target, object },
      `unable to create new content in namespace ${namespace} because it is being terminated`,
    );
    throw new ApiError(code, reason, message, {
      ...details,
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    });
  }

  /** Objects of a deleted namespace can only be deleted. */
  assertUpdateAllowed({ resource, namespace }: Target): void {
    if (!this.#isEnabled || !resource.definition.namespaced) return;
    if (!this.#api.store.get(`namespaces/${namespace}`)) throw notFound(namespaces, namespace);
  }

  /** Rejects the deletion of immortal namespaces, such as `default` and `kube-system`. */
  assertDeleteAllowed(target: Target): void {
    if (!this.#isEnabled || target.resource.prefix !== 'namespaces') return;
    if (!this.#api.dialect.immortalNamespaces.includes(target.name)) return;
    throw newForbidden({ target }, 'this namespace may not be deleted');
  }
}
