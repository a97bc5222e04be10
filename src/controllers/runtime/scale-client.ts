// Reads the scale subresource of any resource, as client-go's scale client does.
import type { ApiObject, ObjectMetadata, OwnerReference } from '../../kind/api-object.ts';
import type { Registry, ServedResource } from '../../kind/registry.ts';
import { tryDecodeLazily } from '../../kind/storage/codec.ts';
import type { Store } from '../../store/store.ts';

/** An object that may have a scale. */
export interface Scalable {
  readonly metadata: ObjectMetadata;
  readonly subject: ServedResource['subject'];
  /** `spec.replicas` of the scale; undefined if the resource has no scale subresource. */
  replicas(): number | undefined;
}

export class ScaleClient {
  readonly #registry: Registry;
  readonly #store: Store;

  constructor({ registry, store }: { readonly registry: Registry; readonly store: Store }) {
    this.#registry = registry;
    this.#store = store;
  }

  /** The object that an owner reference names; undefined if it does not exist or has another uid. */
  find(namespace: string, { apiVersion, kind, name, uid }: OwnerReference): Scalable | undefined {
    const resource = this.#registry.ofVersion(apiVersion).find((served) => served.kind === kind)?.stored;
    const stored = resource && this.#store.get(resource.key(namespace, name));
    const object = stored && tryDecodeLazily(resource, stored);
    if (!resource || object?.metadata.uid !== uid) return undefined;
    return {
      metadata: object.metadata,
      subject: resource.subject,
      replicas: () => replicasOf(resource, object),
    };
  }
}

function replicasOf(resource: ServedResource, object: ApiObject): number | undefined {
  const view = resource.subresource('scale')?.view;
  if (!view) return undefined;
  const { spec } = view.toView(object) as ApiObject & { readonly spec: { readonly replicas?: number } };
  return spec.replicas ?? 0;
}
