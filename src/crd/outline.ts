// The outline of a CustomResourceDefinition: the definition without its schemas, which stays in memory.
import type { CustomResourceDefinition } from '../apis/apiextensions/customresourcedefinition-schema.ts';

/** Drops the schemas, which are most of a definition, and all annotations but the one that the server reads. */
export function outlineOf(
  { metadata, spec, status, ...type }: CustomResourceDefinition,
  keptAnnotation: string,
): CustomResourceDefinition {
  const { managedFields: _, annotations, labels: _labels, ...otherMetadata } = metadata;
  const annotation = annotations?.[keptAnnotation];
  const keptMetadata = {
    ...otherMetadata,
    ...(annotation !== undefined && { annotations: { [keptAnnotation]: annotation } }),
  };
  const versions = spec.versions?.map(({ schema: _schema, ...version }) => version);
  return { ...type, metadata: keptMetadata, spec: { ...spec, ...(versions && { versions }) }, status };
}
