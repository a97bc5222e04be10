// The decoded form of an API object of any kind, as code that is generic over kinds sees it.

import type { ManagedFieldsEntry } from './meta/object-meta.ts';

/** The JSON of an object. Maps with keys from clients are null-prototype objects. */
export interface ApiObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMetadata;
  [field: string]: unknown;
}

export interface ObjectMetadata {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string | null;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}
