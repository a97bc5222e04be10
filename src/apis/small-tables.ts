/** Tables of the groups with one or two kinds. */

import { age, duration, none, unset } from '../kind/table/cells.ts';
import { ageColumn, boolean, column, integer, nameColumn } from '../kind/table/columns.ts';
import type { TableLayout } from '../kind/table.ts';
import type { APIService } from './apiregistration/apiservice.ts';
import type { StorageVersion } from './apiserverinternal/storageversion.ts';
import type { CertificateSigningRequest } from './certificates/certificatesigningrequest.ts';
import type { ClusterTrustBundle } from './certificates/clustertrustbundle.ts';
import type { Lease } from './coordination/lease.ts';
import type { LeaseCandidate } from './coordination/leasecandidate.ts';
import type { FlowSchema } from './flowcontrol/flowschema.ts';
import type { PriorityLevelConfiguration } from './flowcontrol/prioritylevelconfiguration.ts';
import type { RuntimeClass } from './node/runtimeclass.ts';
import type { PriorityClass } from './scheduling/priorityclass.ts';
import type { StorageVersionMigration } from './storagemigration/storageversionmigration.ts';

export const apiServiceTable: TableLayout<APIService> = {
  columns: [
    nameColumn,
    column('Service', 'Where it is served.'),
    column('Available', 'Whether it is.'),
    ageColumn,
  ],
  cells(object, now) {
    const { service } = object.spec;
    const available = object.status.conditions?.find(({ type }) => type === 'Available');
    const words = available
      ? available.status === 'True'
        ? 'True'
        : `${available.status} (${available.reason ?? ''})`
      : 'Unknown';
    return [
      object.metadata.name ?? '',
      service ? `${service.namespace}/${service.name}` : 'Local',
      words,
      age(object, now),
    ];
  },
};

export const storageVersionTable: TableLayout<StorageVersion> = {
  columns: [
    nameColumn,
    column('CommonEncodingVersion', 'The version that all servers write.'),
    column('StorageVersions', 'The version that each server writes.'),
    ageColumn,
  ],
  cells(object, now) {
    const { storageVersions = [], commonEncodingVersion } = object.status;
    const each = storageVersions.map(
      ({ apiServerID = '', encodingVersion = '' }) => `${apiServerID}=${encodingVersion}`,
    );
    return [
      object.metadata.name ?? '',
      commonEncodingVersion ?? unset,
      each.join(',') || unset,
      age(object, now),
    ];
  },
};

export const certificateSigningRequestTable: TableLayout<CertificateSigningRequest> = {
  columns: [
    nameColumn,
    ageColumn,
    column('SignerName', 'Who is asked to sign.'),
    column('Requestor', 'Who asked.'),
    column('RequestedDuration', 'How long it should be good for.'),
    column('Condition', 'What has become of it.'),
  ],
  cells(request, now) {
    const { spec, metadata } = request;
    return [
      metadata.name ?? '',
      age(request, now),
      spec.signerName || none,
      spec.username || none,
      spec.expirationSeconds === undefined ? none : duration(spec.expirationSeconds * 1000),
      requestState(request),
    ];
  },
};

function requestState({ status }: CertificateSigningRequest): string {
  const has = (wanted: string) => (status.conditions ?? []).some(({ type }) => type === wanted);
  const states = [has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending'];
  if (has('Failed')) states.push('Failed');
  if (status.certificate) states.push('Issued');
  return states.join(',');
}

export const clusterTrustBundleTable: TableLayout<ClusterTrustBundle> = {
  columns: [nameColumn, column('SignerName', 'Whose anchors they are.')],
  cells: ({ metadata, spec }) => [metadata.name ?? '', spec.signerName || none],
};

export const leaseTable: TableLayout<Lease> = {
  columns: [nameColumn, column('Holder', 'Who holds it.'), ageColumn],
  cells: (lease, now) => [lease.metadata.name ?? '', lease.spec.holderIdentity ?? '', age(lease, now)],
};

export const leaseCandidateTable: TableLayout<LeaseCandidate> = {
  columns: [
    nameColumn,
    column('LeaseName', 'The lease it stands for.'),
    column('BinaryVersion', 'The version of the program.'),
    column('EmulationVersion', 'The version it behaves like.'),
    ageColumn,
  ],
  cells: (candidate, now) => [
    candidate.metadata.name ?? '',
    candidate.spec.leaseName,
    candidate.spec.binaryVersion,
    candidate.spec.emulationVersion ?? '',
    age(candidate, now),
  ],
};

export const flowSchemaTable: TableLayout<FlowSchema> = {
  columns: [
    nameColumn,
    column('PriorityLevel', 'The level that requests are handled at.'),
    column('MatchingPrecedence', 'The smaller, the sooner it is chosen.'),
    column('DistinguisherMethod', 'How requests are told apart.'),
    ageColumn,
    column('MissingPL', 'Whether there is no such level.'),
  ],
  cells(schema, now) {
    const { spec, status, metadata } = schema;
    const dangling = (status.conditions ?? []).find(({ type }) => type === 'Dangling');
    return [
      metadata.name ?? '',
      spec.priorityLevelConfiguration.name,
      spec.matchingPrecedence,
      spec.distinguisherMethod?.type ?? none,
      age(schema, now),
      dangling?.status ?? '?',
    ];
  },
};

export const priorityLevelTable: TableLayout<PriorityLevelConfiguration> = {
  columns: [
    nameColumn,
    column('Type', 'Whether its requests are limited.'),
    column('NominalConcurrencyShares', 'Its share of what is handled at a time.'),
    column('Queues', 'How many queues it has.'),
    column('HandSize', 'To how many of them a flow is dealt.'),
    column('QueueLengthLimit', 'How many requests may wait in each.'),
    ageColumn,
  ],
  cells(level, now) {
    const { limited, exempt, type } = level.spec;
    const queuing = limited?.limitResponse.queuing;
    return [
      level.metadata.name ?? '',
      type,
      limited?.nominalConcurrencyShares ?? exempt?.nominalConcurrencyShares ?? none,
      queuing?.queues ?? none,
      queuing?.handSize ?? none,
      queuing?.queueLengthLimit ?? none,
      age(level, now),
    ];
  },
};

export const runtimeClassTable: TableLayout<RuntimeClass> = {
  columns: [nameColumn, column('Handler', 'What nodes call it.'), ageColumn],
  cells: (object, now) => [object.metadata.name ?? '', object.handler, age(object, now)],
};

export const priorityClassTable: TableLayout<PriorityClass> = {
  columns: [
    nameColumn,
    column('Value', 'The priority.', integer),
    column('Global-Default', 'Whether pods that name no class get it.', boolean),
    ageColumn,
    column('PreemptionPolicy', 'Whether its pods may push out others.'),
  ],
  cells: (object, now) => [
    object.metadata.name ?? '',
    object.value,
    object.globalDefault ?? false,
    age(object, now),
    object.preemptionPolicy ?? '',
  ],
};

export const storageVersionMigrationTable: TableLayout<StorageVersionMigration> = {
  columns: [column('Name', 'The name of the object.'), column('Resource', 'What is rewritten.')],
  cells({ metadata, spec }) {
    const { group = '', version = '', resource = '' } = spec.resource;
    return [metadata.name ?? '', `${resource}.${version}.${group}`];
  },
};
