// PersistentVolumeClaim: the strategies that run on writes of claims and of their status.
// Dialect: the names of annotations and API groups in Kubernetes' domain, or in Orch's own.
import { quote } from '../../errors/quote.ts';
import type { KindContext } from '../../kind/context.ts';
import { validateFinalizersQualified } from '../../kind/meta/validation.ts';
import type { Strategy, UpdateStrategy } from '../../kind/strategy.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from './persistentvolumeclaim.ts';
import { validateClaimStatusUpdate, validateClaimUpdate } from './persistentvolumeclaim-update-validation.ts';
import { claimSizeWarnings, validateClaimSpec } from './persistentvolumeclaim-validation.ts';

export function claimStrategy(context: KindContext): Strategy<PersistentVolumeClaim> {
  return {
    validateName: nameIsSubdomain,
    deleteReturnsObject: true,
    allowUnconditionalUpdate: true,
    prepareForCreate(object) {
      object.status = { phase: 'Pending' };
      dropDisabledFields(object.spec, undefined, context);
      syncDataSources(object.spec);
    },
    validate: ({ metadata, spec }) => [
      ...validateFinalizersQualified(metadata, context.dialect),
      ...validateClaimSpec(spec, 'spec', context.features),
    ],
    warningsOnCreate: (object) => claimWarnings(object, context),
    resetFields: ['status'],
    prepareForUpdate(object, old) {
      object.status = old.status;
      dropDisabledFields(object.spec, old.spec, context);
      syncDataSources(object.spec);
    },
    validateUpdate: (object, old) => validateClaimUpdate(object, old, context),
    warningsOnUpdate: (object) => claimWarnings(object, context),
  };
}

export function claimStatusStrategy(context: KindContext): UpdateStrategy<PersistentVolumeClaim> {
  return {
    resetFields: ['spec'],
    prepareForUpdate(object, old) {
      object.spec = old.spec;
      const { status } = object;
      // Fields of disabled feature gates are dropped, unless the old status has them.
      if (!context.features.enabled('VolumeAttributesClass')) {
        if (old.status.currentVolumeAttributesClassName === undefined) {
          delete status.currentVolumeAttributesClassName;
        }
        if (old.status.modifyVolumeStatus === undefined) delete status.modifyVolumeStatus;
      }
      if (!context.features.enabled('RecoverVolumeExpansionFailure')) {
        if (old.status.allocatedResources === undefined) delete status.allocatedResources;
        if (old.status.allocatedResourceStatuses === undefined) delete status.allocatedResourceStatuses;
      }
    },
    validateUpdate: (object, old) => validateClaimStatusUpdate(object, old, context),
  };
}

/** Drops fields of disabled features, and data sources whose kind no provisioner supports. */
function dropDisabledFields(
  spec: PersistentVolumeClaimSpec,
  old: PersistentVolumeClaimSpec | undefined,
  { dialect, features }: KindContext,
): void {
  if (!features.enabled('VolumeAttributesClass') && old?.volumeAttributesClassName === undefined) {
    delete spec.volumeAttributesClassName;
  }
  const { dataSource, dataSourceRef } = spec;
  if (dataSource && !old?.dataSource) {
    const { apiGroup = '', kind } = dataSource;
    const isSupported =
      (apiGroup === '' && kind === 'PersistentVolumeClaim') ||
      (apiGroup === dialect.snapshotGroup && kind === 'VolumeSnapshot');
    if (!isSupported) delete spec.dataSource;
  }
  const isCrossNamespaceAllowed =
    features.enabled('CrossNamespaceVolumeDataSource') || old?.dataSourceRef?.namespace;
  if (dataSourceRef?.namespace && !isCrossNamespaceAllowed) delete spec.dataSourceRef;
}

/** Copies `dataSource` to `dataSourceRef` or back, so that clients that know only one of them agree. */
function syncDataSources(spec: PersistentVolumeClaimSpec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource && !dataSourceRef) spec.dataSourceRef = { ...dataSource };
  else if (dataSourceRef && !dataSource && !dataSourceRef.namespace) {
    const { namespace: _, ...local } = dataSourceRef;
    spec.dataSource = local;
  }
}

function claimWarnings({ metadata, spec }: PersistentVolumeClaim, { dialect }: KindContext): string[] {
  const annotation = dialect.annotations.storageClass;
  const isAnnotated = metadata.annotations?.[annotation] !== undefined;
  const detail = `deprecated since v1.8; use ${quote('storageClassName')} attribute instead`;
  return [
    ...(isAnnotated ? [`metadata.annotations[${annotation}]: ${detail}`] : []),
    ...claimSizeWarnings(spec, 'spec'),
  ];
}
