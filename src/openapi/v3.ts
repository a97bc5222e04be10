// Builds the OpenAPI v3 documents of built-in kinds, one for each group version.
import type { Dialect } from '../dialect/dialect.ts';
import { groupBy } from '../discovery/discovery-documents.ts';
import type { ServedResource } from '../kind/registry.ts';
import { compareText } from '../kind/version-priority.ts';
import type { Document, PathItem } from './builder/document.ts';
import { type MediaTypes, mediaTypes } from './builder/media-types.ts';
import {
  groupPath,
  groupVersionPath,
  nonResourcePathItem,
  nonResourcePaths,
} from './builder/non-resource-paths.ts';
import { ResourcePaths } from './builder/resource-paths.ts';
import { Schemas } from './builder/schemas.ts';

/** The settings of a server that its documents depend on. */
export interface DocumentContext {
  /** The names in the documents: Kubernetes' own, or those of Orch. */
  readonly dialect: Dialect;
  /** The API release: `1.33`. */
  readonly release: string;
  /** Whether CBOR is served. */
  readonly cbor: boolean;
  /** The feature gate OpenAPIEnums. */
  readonly publishEnums: boolean;
}

export const securitySchemes = {
  BearerToken: {
    type: 'apiKey',
    description: 'Bearer token authentication.',
    name: 'authorization',
    in: 'header',
  },
} as const satisfies Document['components']['securitySchemes'];

/** Builds a document, on demand. */
export type BuildDocument = () => Document;

/** The v3 documents of a server by name: one for each group version, each group, and each other path. */
export function documentBuilders(
  resources: readonly ServedResource[],
  context: DocumentContext,
): ReadonlyMap<string, BuildDocument> {
  const types = mediaTypes(context.dialect, context.cbor);
  const builders: [string, BuildDocument][] = [];
  for (const [name, path] of Object.entries(nonResourcePaths(types))) {
    builders.push([
      name,
      () => buildDocument(context, (schemas) => nonResourcePathItem(path, schemas, context.dialect)),
    ]);
  }
  for (const [apiVersion, members] of groupBy(resources, ({ apiVersion }) => apiVersion)) {
    builders.push([
      documentName(members[0]!.group, apiVersion),
      () => versionDocument(members, context, types),
    ]);
  }
  for (const [group, [member]] of groupBy(resources, ({ group }) => group)) {
    if (group === '') continue;
    const path = groupPath(`/apis/${group}`, member!.definition.group, types);
    builders.push([
      documentName(group, group),
      () => buildDocument(context, (schemas) => nonResourcePathItem(path, schemas, context.dialect)),
    ]);
  }
  return new Map(builders.sort(([a], [b]) => compareText(a, b)));
}

/** The name of a document: `api/v1` in the core group, `apis/apps` and `apis/apps/v1` in others. */
function documentName(group: string, groupOrVersion: string): string {
  return group === '' ? `api/${groupOrVersion}` : `apis/${groupOrVersion}`;
}

function versionDocument(
  members: readonly ServedResource[],
  context: DocumentContext,
  types: MediaTypes,
): Document {
  const { dialect } = context;
  return buildDocument(context, (schemas) => {
    const { group, apiVersion, definition } = members[0]!;
    const discoveryPath = groupVersionPath(`/${documentName(group, apiVersion)}`, definition, types);
    const resourcePaths = new ResourcePaths(schemas, types, dialect);
    for (const member of members) resourcePaths.add(member);
    return { ...nonResourcePathItem(discoveryPath, schemas, dialect), ...resourcePaths.paths };
  });
}

function buildDocument(
  { dialect, release, publishEnums }: DocumentContext,
  buildPaths: (schemas: Schemas) => Readonly<Record<string, PathItem>>,
): Document {
  const schemas = new Schemas(dialect, publishEnums);
  const paths = Object.entries(buildPaths(schemas)).sort(([a], [b]) => compareText(a, b));
  const allSchemas = schemas.all();
  return {
    openapi: '3.0.0',
    info: { title: dialect.title, version: release },
    paths: Object.fromEntries(paths),
    components: {
      ...(allSchemas && { schemas: allSchemas }),
      securitySchemes,
    },
  };
}
