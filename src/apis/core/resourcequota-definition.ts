// ResourceQuota: the resource definition, with the strategy that runs on writes and the status subresource.

import type { KindContext } from '../../kind/context.ts';
import { validateBuiltInMetadataChange, validateFinalizersQualified } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { ResourceQuota } from './resourcequota.ts';
import { resourceQuotaTable } from './resourcequota-table.ts';
import { validateQuota, validateQuotaStatus, validateScopesImmutable } from './resourcequota-validation.ts';

export const resourcequotas = ({ dialect }: KindContext) =>
  resource<ResourceQuota>({
    group: '',
    version: 'v1',
    kind: 'ResourceQuota',
    plural: 'resourcequotas',
    shortNames: ['quota'],
    schema: ResourceQuota,
    table: resourceQuotaTable,
    strategy: {
      validateName: nameIsSubdomain,
      allowUnconditionalUpdate: true,
      deleteReturnsObject: true,
      prepareForCreate(object) {
        object.status = {};
      },
      validate: (object) => [
        ...validateFinalizersQualified(object.metadata, dialect),
        ...validateQuota(object, dialect),
      ],
      resetFields: ['status'],
      prepareForUpdate(object, old) {
        object.status = old.status;
      },
      validateUpdate: (object, old) => [
        ...validateBuiltInMetadataChange(object.metadata, old.metadata, dialect),
        ...validateQuota(object, dialect),
        ...validateScopesImmutable(object, old),
      ],
    },
    subresources: {
      status: {
        verbs: ['get', 'patch', 'update'],
        rules: {
          resetFields: ['spec'],
          prepareForUpdate(object, old) {
            object.spec = old.spec;
          },
          validateUpdate: (object, old) => [
            ...validateBuiltInMetadataChange(object.metadata, old.metadata, dialect),
            ...validateQuotaStatus(object, dialect),
          ],
        },
      },
    },
  });
