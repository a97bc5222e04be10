// CustomResourceDefinition: resource definition with strategy and status subresource.
import type { KindContext } from '../../kind/context.ts';
import { validateTypeAndStatus } from '../../kind/meta/condition-rules.ts';
import { validateMetadataChange } from '../../kind/meta/validation.ts';
import { plainStrategy, statusSubresource } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import {
  type CustomResourceDefinition,
  customResourceDefinitionSchema,
  storageVersions,
} from './customresourcedefinition-schema.ts';
import { DefinitionChecks } from './definition-checks.ts';
import { detachedSchemas } from './detached-schemas.ts';
import { validateNames } from './validation.ts';

/** The request size limit of etcd. A larger definition would block other requests while it is compiled. */
const maxBytes = 1.5 * 1024 * 1024;

export function customresourcedefinitions(context: KindContext) {
  const { dialect } = context;
  const schema = customResourceDefinitionSchema(dialect);
  const baseStrategy = plainStrategy(context, schema);
  const status = statusSubresource(context, schema);
  const checks = new DefinitionChecks(dialect);
  return resource<CustomResourceDefinition>({
    group: 'apiextensions',
    version: 'v1',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    namespaced: false,
    storagePrefix: `${dialect.groupName('apiextensions')}/customresourcedefinitions`,
    // Upstream announces this storage version, although it is no longer served.
    announcedStorageVersion: 'v1beta1',
    schema,
    bulk: detachedSchemas,
    maxBytes,
    strategy: {
      ...baseStrategy,
      allowUnconditionalUpdate: false,
      validatesMetadata: true,
      finalizerOnDelete: dialect.finalizers.customResources,
      prepareForDelete({ metadata, status }) {
        status.conditions = (status.conditions ?? []).filter(({ type }) => type !== 'Terminating');
        status.conditions.push({
          type: 'Terminating',
          status: 'True',
          lastTransitionTime: metadata.deletionTimestamp!,
          reason: 'InstanceDeletionPending',
          message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
        });
      },
      prepareForCreate(object, now) {
        baseStrategy.prepareForCreate(object, now);
        const stored = storageVersions(object.spec);
        if (stored.length > 0) object.status.storedVersions = stored;
      },
      prepareForUpdate(object, old, now) {
        baseStrategy.prepareForUpdate(object, old, now);
        addStorageVersions(object);
      },
      load: (object, old, owner) => checks.load(object, old, owner),
      validate: (object) => [...checks.errorsOf(object)],
      validateUpdate: (object, old) => [
        ...validateMetadataChange(object.metadata, old.metadata),
        ...checks.errorsOf(object),
      ],
    },
    subresources: {
      status: {
        ...status,
        rules: {
          ...status.rules,
          resetFields: ['metadata', 'spec'],
          validateUpdate: (object, old) => [
            ...validateMetadataChange(object.metadata, old.metadata),
            ...validateNames(object.status.acceptedNames, 'status.acceptedNames'),
            ...(dialect.rules.conditionsAreValidated ? validateTypeAndStatus(object.status.conditions) : []),
          ],
        },
      },
    },
  });
}

/** Adds the storage version to status.storedVersions. */
function addStorageVersions({ spec, status }: CustomResourceDefinition): void {
  status.storedVersions = [...new Set([...(status.storedVersions ?? []), ...storageVersions(spec)])];
}
