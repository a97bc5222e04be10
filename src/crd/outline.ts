// CustomResourceDefinition without its schemas, kept in memory.
import type { CustomResourceDefinition } from '../apis/apiextensions/customresourcedefinition-schema.ts';

/**
 * What is remembered of a definition, for as long as it is there: all but its schemas, which are most of it. Of its
 * annotations only one has a meaning here.
 */
export function outlineOf(
  { metadata, spec, status, ...type }: CustomResourceDefinition,
  annotation: string,
): CustomResourceDefinition {
  const { managedFields: _, annotations, labels: _labels, ...kept } = metadata;
  const said = annotations?.[annotation];
  const told = { ...kept, ...(said !== undefined && { annotations: { [annotation]: said } }) };
  const versions = spec.versions?.map(({ schema: _schema, ...version }) => version);
  return { ...type, metadata: told, spec: { ...spec, ...(versions && { versions }) }, status };
}
