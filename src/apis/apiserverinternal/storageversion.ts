// StorageVersion: schema (field numbers are those of protobuf), strategy, validation and printer columns.

import {
  type FieldError,
  FormattedValue,
  goStringSlice,
  invalid,
  required,
} from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { plainStrategy, statusSubresourceKeepingMetadata } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { age, unset } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { list } from '../../schema/collections.ts';
import { dnsLabel1035, dnsSubdomain, type NameRule, qualifiedName } from '../../schema/names.ts';
import { int64, named, openEnum, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

const ServerStorageVersion = struct(
  'apiserverinternal/v1alpha1.ServerStorageVersion',
  {
    apiServerID: field(1, string, { doc: 'The id of the reporting API server.' }),
    encodingVersion: field(2, string, { doc: 'The version in which the API server encodes objects.' }),
    decodableVersions: field(3, list(string, { type: 'set' }), {
      doc: 'The versions that the API server can decode. They include encodingVersion.',
    }),
    servedVersions: field(4, list(string, { type: 'set' }), {
      doc: 'The versions that the API server serves. They must be decodable.',
    }),
  },
  { doc: 'The storage versions of a resource in one API server.' },
);
type ServerStorageVersion = Infer<typeof ServerStorageVersion>;

const StorageVersionCondition = struct(
  'apiserverinternal/v1alpha1.StorageVersionCondition',
  {
    type: field(
      1,
      named('apiserverinternal/v1alpha1.StorageVersionConditionType', openEnum('AllEncodingVersionsEqual')),
      { required: true, doc: 'The type of the condition.' },
    ),
    status: field(
      2,
      named('apiserverinternal/v1alpha1.ConditionStatus', openEnum('True', 'False', 'Unknown')),
      {
        required: true,
        doc: 'True, False or Unknown.',
      },
    ),
    observedGeneration: field(3, int64, { doc: 'The generation for which the condition was set.' }),
    lastTransitionTime: field(4, time, { doc: 'When the status last changed.' }),
    reason: field(5, string, {
      required: true,
      doc: 'A machine-readable reason for the last transition (CamelCase).',
    }),
    message: field(6, string, {
      required: true,
      omitEmpty: true,
      doc: 'A human-readable explanation of the last transition.',
    }),
  },
  { doc: 'A condition of a StorageVersion.' },
);
type StorageVersionCondition = Infer<typeof StorageVersionCondition>;

const StorageVersionStatus = struct(
  'apiserverinternal/v1alpha1.StorageVersionStatus',
  {
    storageVersions: field(1, list(ServerStorageVersion, { type: 'map', keys: ['apiServerID'] }), {
      doc: 'The reported versions of each API server.',
    }),
    commonEncodingVersion: field(2, optional(string), {
      doc: 'The version in which all API servers encode, if they agree.',
    }),
    conditions: field(3, list(StorageVersionCondition, { type: 'map', keys: ['type'] }), {
      doc: 'The observed conditions of the StorageVersion.',
    }),
  },
  { doc: 'The current status of a StorageVersion.' },
);
type StorageVersionStatus = Infer<typeof StorageVersionStatus>;

const StorageVersionSpec = struct(
  'apiserverinternal/v1alpha1.StorageVersionSpec',
  {},
  { doc: 'The specification of a StorageVersion. It is empty.' },
);

export const StorageVersion = kind(
  'apiserverinternal/v1alpha1.StorageVersion',
  {
    spec: field(2, StorageVersionSpec, { required: true, doc: 'Empty.' }),
    status: field(3, StorageVersionStatus, {
      required: true,
      doc: 'The versions that the API servers report.',
    }),
  },
  {
    doc: 'The storage version of a resource in each API server. Its name is `<group>.<resource>`.',
  },
);
export type StorageVersion = Infer<typeof StorageVersion>;

const storageVersionTable: TableLayout<StorageVersion> = {
  columns: [
    nameColumn,
    column('CommonEncodingVersion', 'The version in which all API servers encode.'),
    column('StorageVersions', 'The encoding version of each API server.'),
    ageColumn,
  ],
  cells(object, ages) {
    const { storageVersions = [], commonEncodingVersion } = object.status;
    const encodingVersions = storageVersions.map(
      ({ apiServerID = '', encodingVersion = '' }) => `${apiServerID}=${encodingVersion}`,
    );
    return [
      object.metadata.name ?? '',
      commonEncodingVersion ?? unset,
      encodingVersions.join(',') || unset,
      age(object, ages),
    ];
  },
};

export const storageversions = (context: KindContext) => {
  const baseStrategy = plainStrategy(context, StorageVersion);
  return resource<StorageVersion>({
    group: 'internal.apiserver',
    version: 'v1alpha1',
    kind: 'StorageVersion',
    plural: 'storageversions',
    namespaced: false,
    schema: StorageVersion,
    table: storageVersionTable,
    strategy: {
      ...baseStrategy,
      validateName: nameIsGroupAndResource,
      allowUnconditionalUpdate: false,
      prepareForCreate(object) {
        object.status = {};
      },
      prepareForUpdate(object, old) {
        object.status = old.status;
      },
      validateUpdate: () => [],
    },
    subresources: {
      status: statusSubresourceKeepingMetadata(context, StorageVersion, (object) =>
        validateStatus(object.status),
      ),
    },
  });
};

const nameIsGroupAndResource: NameRule = (name) => {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return ['name must be in the form of <group>.<resource>'];
  const problems = dnsSubdomain(name.slice(0, dot)).map((problem) => `the group segment ${problem}`);
  return [
    ...problems,
    ...dnsLabel1035(name.slice(dot + 1)).map((problem) => `the resource segment ${problem}`),
  ];
};

function validateStatus(status: StorageVersionStatus): FieldError[] {
  const { storageVersions: servers = [], conditions = [] } = status;
  return [
    ...servers.flatMap((server, i) => validateServer(server, `status.storageVersions[${i}]`)),
    ...validateCommonVersion(servers, status.commonEncodingVersion),
    ...validateConditions(conditions),
  ];
}

function validateServer(server: ServerStorageVersion, path: string): FieldError[] {
  const {
    apiServerID = '',
    encodingVersion = '',
    decodableVersions: decodable = [],
    servedVersions: served = [],
  } = server;
  const errors = dnsSubdomain(apiServerID).map((problem) =>
    invalid(`${path}.apiServerID`, apiServerID, problem),
  );
  for (const problem of groupVersionProblems(encodingVersion)) {
    errors.push(invalid(`${path}.encodingVersion`, encodingVersion, problem));
  }
  const validateVersions = (versions: readonly string[], field: string) => {
    for (const [i, version] of versions.entries()) {
      for (const problem of groupVersionProblems(version)) {
        errors.push(invalid(`${path}.${field}[${i}]`, version, problem));
      }
    }
  };
  validateVersions(decodable, 'decodableVersions');
  if (!decodable.includes(encodingVersion)) {
    const detail = `decodableVersions must include encodingVersion ${encodingVersion}`;
    errors.push(invalid(`${path}.decodableVersions`, formatStrings(decodable), detail));
  }
  validateVersions(served, 'servedVersions');
  for (const [i, version] of served.entries()) {
    if (decodable.includes(version)) continue;
    const detail = `individual served version : ${version} must be included in decodableVersions : [${decodable.join(' ')}]`;
    errors.push(invalid(`${path}.servedVersions[${i}]`, version, detail));
  }
  return errors;
}

/** As Go prints a slice of strings. */
const formatStrings = (values: readonly string[]) =>
  values.length === 0 ? new FormattedValue('[]string(nil)') : goStringSlice(values);

const malformedGroupVersion =
  "an apiVersion is a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')";

/** The problems of a group version, such as `v1` or `example.com/v1`. */
function groupVersionProblems(text: string): string[] {
  const parts = text.split('/');
  const version = parts.at(-1)!;
  const problems: string[] = [];
  if (parts.length > 2) return [malformedGroupVersion];
  if (parts.length === 2) {
    if (parts[0] === '') problems.push('group part: must be non-empty');
    else problems.push(...dnsSubdomain(parts[0]!).map((problem) => `group part: ${problem}`));
  }
  if (version === '') problems.push('version part: must be non-empty');
  else problems.push(...dnsLabel1035(version).map((problem) => `version part: ${problem}`));
  return problems;
}

/** commonEncodingVersion is set if and only if all API servers agree. */
function validateCommonVersion(
  servers: readonly ServerStorageVersion[],
  common: string | undefined,
): FieldError[] {
  const path = 'status.commonEncodingVersion';
  const versions = new Set(servers.map(({ encodingVersion = '' }) => encodingVersion));
  const agreedVersion = versions.size === 1 ? [...versions][0]! : undefined;
  if (agreedVersion === undefined) {
    if (common === undefined) return [];
    const detail =
      'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet';
    return [invalid(path, common, detail)];
  }
  if (common === undefined) return [invalid(path, 'null', `the common encoding version is ${agreedVersion}`)];
  if (common === agreedVersion) return [];
  return [invalid(path, common, `the actual common encoding version is ${agreedVersion}`)];
}

function validateConditions(conditions: readonly StorageVersionCondition[]): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Map<string, number>();
  for (const [i, { type, status, reason = '', message = '' }] of conditions.entries()) {
    const path = `status[${i}]`;
    for (const problem of qualifiedName(type)) errors.push(invalid(`${path}.type`, type, problem));
    for (const problem of qualifiedName(status)) errors.push(invalid(`${path}.status`, status, problem));
    const firstIndex = seen.get(type);
    if (firstIndex !== undefined) {
      const detail = `the type of the condition is not unique, it also appears in conditions[${firstIndex}]`;
      errors.push(invalid(`${path}.type`, type, detail));
    }
    seen.set(type, i);
    if (reason === '') errors.push(required(`${path}.reason`, 'reason cannot be empty'));
    if (message === '') errors.push(required(`${path}.message`, 'message cannot be empty'));
  }
  return errors;
}
