// OpenAPI paths of discovery, /version and the other paths that are no resources.
import type { Dialect } from '../../dialect/dialect.ts';
import { APIGroup, APIGroupList, APIResourceList, APIVersions } from '../../kind/meta/discovery.ts';
import type { Struct } from '../../schema/struct.ts';
import type { PathItem, Schema } from './document.ts';
import { contentOf, type MediaTypes } from './media-types.ts';
import { VersionInfo } from './meta-types.ts';
import { capitalized, groupWord, tagOf } from './operation-names.ts';
import { pathItem } from './operations.ts';
import type { Schemas } from './schemas.ts';

/** A path that is no resource and supports only GET. */
interface Reading {
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly description: string;
  readonly types: readonly string[];
  /** Absent: plain text. */
  readonly schema?: Struct<unknown>;
}

/** The path of a group version: `/apis/apps/v1/`. */
export function versionReading(
  root: string,
  groupVersion: { readonly group: string; readonly version: string },
  types: MediaTypes,
): Reading {
  const { group, version } = groupVersion;
  return {
    path: `${root}/`,
    operationId: `get${groupWord(group)}${capitalized(version)}APIResources`,
    tag: tagOf(groupVersion),
    description: 'Which resources this version of the group has.',
    types: types.objects,
    schema: APIResourceList,
  };
}

/** The path of a group: `/apis/apps/`. */
export function groupReading(root: string, group: string, types: MediaTypes): Reading {
  return {
    path: `${root}/`,
    operationId: `get${groupWord(group)}APIGroup`,
    tag: tagOf({ group }),
    description: 'Which versions the group has.',
    types: types.discovery,
    schema: APIGroup,
  };
}

/** The paths outside all groups, by the name of their document. */
export function otherReadings({ discovery }: MediaTypes): Readonly<Record<string, Reading>> {
  const json = ['application/json'];
  return {
    '.well-known/openid-configuration': {
      path: '/.well-known/openid-configuration/',
      operationId: 'getServiceAccountIssuerOpenIDConfiguration',
      tag: 'WellKnown',
      description: 'Who issues the tokens of ServiceAccounts, and how to check them.',
      types: json,
    },
    api: {
      path: '/api/',
      operationId: 'getCoreAPIVersions',
      tag: 'core',
      description: 'Which versions the core group has.',
      types: discovery,
      schema: APIVersions,
    },
    apis: {
      path: '/apis/',
      operationId: 'getAPIVersions',
      tag: 'apis',
      description: 'Which groups there are.',
      types: discovery,
      schema: APIGroupList,
    },
    'openid/v1/jwks': {
      path: '/openid/v1/jwks/',
      operationId: 'getServiceAccountIssuerOpenIDKeyset',
      tag: 'openid',
      description: 'The public keys that the tokens of ServiceAccounts are signed with.',
      types: ['application/jwk-set+json'],
    },
    version: {
      path: '/version/',
      operationId: 'getCodeVersion',
      tag: 'version',
      description: 'Which release of the API this is.',
      types: json,
      schema: VersionInfo,
    },
  };
}

export function readingPath(
  { path, operationId, tag, description, types, schema }: Reading,
  schemas: Schemas,
  dialect: Dialect,
): Record<string, PathItem> {
  const answer: Schema = schema ? schemas.refTo(schema) : { type: 'string' };
  const endpoint = {
    method: 'get',
    operationId,
    description,
    answers: { 200: contentOf(types, answer) },
  } as const;
  return { [path]: pathItem([endpoint], tag, dialect) };
}
