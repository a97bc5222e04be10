// The controller reference of an object: its owner reference with `controller: true` (upstream: metav1.GetControllerOf).
import type { InformerObject } from '../../client/informer-object.ts';
import type { ObjectMetadata, OwnerReference } from '../../kind/api-object.ts';

export function controllerOf({
  ownerReferences = [],
}: Pick<ObjectMetadata, 'ownerReferences'>): OwnerReference | undefined {
  return ownerReferences.find(({ controller }) => controller);
}

const controllerJson = Buffer.from('"controller":true');

/** As controllerOf; an object without a controller is not parsed. */
export function controllerOfStored<T>(object: InformerObject<T>): OwnerReference | undefined {
  return object.json.includes(controllerJson) ? controllerOf(object.metadata() ?? {}) : undefined;
}

/** The reference that makes an object the controller of another one. */
export function controllerReference(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  { name = '', uid = '' }: ObjectMetadata,
): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}
