// APIService: schema (field numbers are those of protobuf), strategy, validation and printer columns.

import type { DialectRules } from '../../dialect/dialect.ts';
import { addErrors, type FieldError, invalid, notSupported, required } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { validateMetadata, validateMetadataChange } from '../../kind/meta/validation.ts';
import { plainStrategy, statusSubresourceKeepingMetadata } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { maxReconciledBytes } from '../../kind/storage/codec.ts';
import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { list } from '../../schema/collections.ts';
import { dnsLabel1035, dnsSubdomain, type NameRule, nameIsPathSegment } from '../../schema/names.ts';
import { bool, bytes, int32, named, openEnum, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const ServiceReference = struct(
  'apiregistration/v1.ServiceReference',
  {
    namespace: field(1, string, { doc: 'The namespace of the service.' }),
    name: field(2, string, { doc: 'The name of the service.' }),
    port: field(3, optional(int32), { default: 443, doc: 'The port of the service, 1 to 65535.' }),
  },
  { doc: 'A reference to the service of an extension API server.' },
);
export type ServiceReference = Infer<typeof ServiceReference>;

export const APIServiceSpec = struct(
  'apiregistration/v1.APIServiceSpec',
  {
    service: field(1, optional(ServiceReference), {
      doc: 'The service of the extension API server, called over HTTPS. If absent, this server serves the group version itself.',
    }),
    group: field(2, string, { doc: 'The API group.' }),
    version: field(3, string, { doc: 'The API version.' }),
    insecureSkipTLSVerify: field(4, bool, {
      doc: "Skips verification of the extension API server's certificate. A caBundle is preferred.",
    }),
    caBundle: field(5, bytes, {
      doc: "PEM certificates of the CAs that verify the extension API server's certificate. Defaults to the system trust roots.",
    }),
    groupPriorityMinimum: field(7, int32, {
      required: true,
      doc: 'The minimum priority of the group. Clients prefer groups with a higher priority; equal priorities are ordered by name.',
    }),
    versionPriority: field(8, int32, {
      required: true,
      doc: 'The order of the version in its group, highest first; equal priorities are ordered by stability and version number.',
    }),
  },
  { doc: 'The specification of an APIService.' },
);
export type APIServiceSpec = Infer<typeof APIServiceSpec>;

export const APIServiceCondition = struct(
  'apiregistration/v1.APIServiceCondition',
  {
    type: field(1, named('apiregistration/v1.APIServiceConditionType', openEnum('Available')), {
      required: true,
      doc: 'The type of the condition.',
    }),
    status: field(2, named('apiregistration/v1.ConditionStatus', openEnum('True', 'False', 'Unknown')), {
      required: true,
      doc: 'True, False or Unknown.',
    }),
    lastTransitionTime: field(3, time, { doc: 'When the status last changed.' }),
    reason: field(4, string, { doc: 'A machine-readable reason for the last transition (CamelCase).' }),
    message: field(5, string, { doc: 'A human-readable explanation of the last transition.' }),
  },
  { doc: 'A condition of an APIService.' },
);
export type APIServiceCondition = Infer<typeof APIServiceCondition>;

const APIServiceStatus = struct(
  'apiregistration/v1.APIServiceStatus',
  {
    conditions: field(
      1,
      list(APIServiceCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'The observed conditions of the APIService.' },
    ),
  },
  { doc: 'The current status of an APIService.' },
);

export const APIService = kind(
  'apiregistration/v1.APIService',
  {
    spec: field(2, APIServiceSpec, { doc: 'The group version and its server.' }),
    status: field(3, APIServiceStatus, { doc: 'The availability of the extension API server.' }),
  },
  {
    doc: 'Registers the server of a group version. Its name is `<version>.<group>`.',
  },
);
export type APIService = Infer<typeof APIService>;

const highestGroupPriority = 20_000;
const highestVersionPriority = 1000;

const apiServiceTable: TableLayout<APIService> = {
  columns: [
    nameColumn,
    column('Service', 'The service of the extension API server, or Local.'),
    column('Available', 'The status of the condition Available.'),
    ageColumn,
  ],
  cells(object, ages) {
    const { service } = object.spec;
    const available = object.status.conditions?.find(({ type }) => type === 'Available');
    return [
      object.metadata.name ?? '',
      service ? `${service.namespace}/${service.name}` : 'Local',
      formatAvailability(available),
      age(object, ages),
    ];
  },
};

function formatAvailability(condition: APIServiceCondition | undefined): string {
  if (!condition) return 'Unknown';
  return condition.status === 'True' ? 'True' : `${condition.status} (${condition.reason ?? ''})`;
}

export const apiservices = (context: KindContext) => {
  const baseStrategy = plainStrategy(context, APIService);
  return resource<APIService>({
    group: 'apiregistration',
    version: 'v1',
    kind: 'APIService',
    plural: 'apiservices',
    categories: ['api-extensions'],
    namespaced: false,
    storagePrefix: `${context.dialect.groupName('apiregistration')}/apiservices`,
    schema: APIService,
    maxBytes: maxReconciledBytes,
    table: apiServiceTable,
    strategy: {
      ...baseStrategy,
      validateName: nameIsPathSegment,
      // The name rule depends on the spec: validateAPIService checks both together.
      validatesMetadata: true,
      allowUnconditionalUpdate: false,
      prepareForCreate(object, now) {
        object.status = {};
        if (!object.spec.service) object.status.conditions = [alwaysAvailable(now)];
      },
      prepareForUpdate(object, old) {
        object.status = old.status;
      },
      validate: validateAPIService,
      validateUpdate: (object, old) => [
        ...validateMetadataChange(object.metadata, old.metadata),
        ...validateAPIService(object),
      ],
    },
    subresources: {
      status: statusSubresourceKeepingMetadata(context, APIService, (object, old) => [
        ...validateMetadataChange(object.metadata, old.metadata),
        ...validateStatus(object.status.conditions, context.dialect.rules),
      ]),
    },
  });
};

/** An APIService without a service is served locally and always available. */
function alwaysAvailable(now: string): APIServiceCondition {
  return {
    type: 'Available',
    status: 'True',
    lastTransitionTime: now,
    reason: 'Local',
    message: 'Local APIServices are always available',
  };
}

function validateAPIService({ metadata, spec }: APIService): FieldError[] {
  const { group = '', version = '', service } = spec;
  const nameRule = apiServiceNameRule(`${version}.${group}`);
  const errors = validateMetadata(metadata, { namespaced: false, nameRule });
  if (group === '') {
    if (version !== 'v1') {
      errors.push(required('spec.group', 'only v1 may have an empty group and it better be legacy kube'));
    }
  } else for (const problem of dnsSubdomain(group)) errors.push(invalid('spec.group', group, problem));
  for (const problem of dnsLabel1035(version)) errors.push(invalid('spec.version', version, problem));
  addErrors(errors, [
    ...validatePriority('groupPriorityMinimum', spec.groupPriorityMinimum, highestGroupPriority),
    ...validatePriority('versionPriority', spec.versionPriority, highestVersionPriority),
  ]);
  return [...errors, ...(service ? validateService(service, spec) : validateLocal(spec))];
}

/** Also a generateName must be the name. */
const apiServiceNameRule =
  (requiredName: string): NameRule =>
  (name) => {
    const problems = nameIsPathSegment(name);
    if (problems.length > 0 || name === requiredName) return problems;
    return [`must be \`spec.version+"."+spec.group\`: ${JSON.stringify(requiredName)}`];
  };

const conditionStatuses = ['True', 'False', 'Unknown'];

function validateStatus(
  conditions: readonly APIServiceCondition[] = [],
  { conditionsAreValidated }: DialectRules,
): FieldError[] {
  return conditions.flatMap(({ type, status }, i) => {
    const path = `status.conditions[${i}]`;
    const errors = type === '' && conditionsAreValidated ? [required(`${path}.type`)] : [];
    if (!conditionStatuses.includes(status))
      errors.push(notSupported(`${path}.status`, status, conditionStatuses));
    return errors;
  });
}

function validatePriority(field: string, priority: number, highest: number): FieldError[] {
  if (priority > 0 && priority <= highest) return [];
  return [invalid(`spec.${field}`, priority, `must be positive and less than ${highest}`)];
}

function validateLocal({ caBundle = '', insecureSkipTLSVerify }: APIServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (caBundle !== '') {
    const formatted = `${Buffer.from(caBundle, 'base64').length} bytes`;
    errors.push(invalid('spec.caBundle', formatted, 'local APIServices may not have a caBundle'));
  }
  if (insecureSkipTLSVerify) {
    const detail = 'local APIServices may not have insecureSkipTLSVerify';
    errors.push(invalid('spec.insecureSkipTLSVerify', true, detail));
  }
  return errors;
}

function validateService(service: ServiceReference, spec: APIServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  const { namespace = '', name = '', port = 443 } = service;
  if (namespace === '') errors.push(required('spec.service.namespace'));
  if (name === '') errors.push(required('spec.service.name'));
  if (port < 1 || port > 65_535) {
    const detail = 'port is not valid: must be between 1 and 65535, inclusive';
    errors.push(invalid('spec.service.port', port, detail));
  }
  if (spec.insecureSkipTLSVerify && spec.caBundle) {
    errors.push(invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present'));
  }
  return errors;
}
