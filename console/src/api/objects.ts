// Objects as the API sends them.
import type { ObjectMetadata } from './table.ts';

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly lastHeartbeatTime?: string;
  readonly lastUpdateTime?: string;
}

interface ManagedFields {
  readonly manager: string;
  readonly operation: string;
  readonly time?: string;
  readonly subresource?: string;
}

export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMetadata & { readonly managedFields?: readonly ManagedFields[] };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>> & { readonly conditions?: readonly Condition[] };
}

/** The object without managedFields, which blame shows in a readable way. */
export function withoutManagedFields(object: ApiObject): ApiObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
