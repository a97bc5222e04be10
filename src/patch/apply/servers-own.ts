/** What the server alone decides about an object, and nobody owns: fields of the object, and of its metadata. */
export const serversFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);
export const serversMetadata: ReadonlySet<string> = new Set([
  ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation'],
  ...['managedFields', 'resourceVersion'],
]);
