// Server-side apply: fields that managedFields never contain, because the server sets them (stripSet upstream).

export const strippedObjectFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);
export const strippedMetadataFields: ReadonlySet<string> = new Set([
  ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation'],
  ...['managedFields', 'resourceVersion'],
]);
