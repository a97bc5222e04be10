// Server-side apply: fields that no manager can own.

/** Set by the server alone: fields of the object, and of its metadata. */
export const strippedObjectFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);
export const strippedMetadataFields: ReadonlySet<string> = new Set([
  ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation'],
  ...['managedFields', 'resourceVersion'],
]);
