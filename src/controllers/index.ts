// The controllers that run inside the server, named as in kube-controller-manager.

import { Scheduler } from '../scheduler/scheduler.ts';
import { CsrApprovingController } from './certificates/approving-controller.ts';
import { CsrCleanerController } from './certificates/cleaner-controller.ts';
import { CsrSigningController } from './certificates/signing-controller.ts';
import { ClusterRoleAggregationController } from './clusterroleaggregation/clusterroleaggregation-controller.ts';
import { CronJobController } from './cronjob/cronjob-controller.ts';
import { DaemonSetController } from './daemonset/daemonset-controller.ts';
import { DeploymentController } from './deployment/deployment-controller.ts';
import { DisruptionController } from './disruption/disruption-controller.ts';
import { EndpointsController } from './endpoint/endpoints-controller.ts';
import { EndpointSliceController } from './endpointslice/endpointslice-controller.ts';
import { EndpointSliceMirroringController } from './endpointslicemirroring/endpointslice-mirroring-controller.ts';
import { EphemeralVolumeController } from './ephemeralvolume/ephemeral-volume-controller.ts';
import { GarbageCollector } from './garbagecollector/garbage-collector.ts';
import { JobController } from './job/job-controller.ts';
import { NamespaceController } from './namespace/namespace-controller.ts';
import { NodeLifecycleController } from './nodelifecycle/node-lifecycle-controller.ts';
import { PersistentVolumeBinderController } from './persistentvolume/persistentvolume-binder-controller.ts';
import { HorizontalController } from './podautoscaler/horizontal-controller.ts';
import { PodGcController } from './podgc/pod-gc-controller.ts';
import { ReplicaSetController } from './replicaset/replicaset-controller.ts';
import { replicaSets, replicationControllers } from './replicaset/replicated-kind.ts';
import { ResourceClaimController } from './resourceclaim/resourceclaim-controller.ts';
import { ResourceQuotaController } from './resourcequota/resourcequota-controller.ts';
import { RootCaCertPublisher } from './rootcacertpublisher/root-ca-cert-publisher.ts';
import type { ControllerDescriptor } from './runtime/controller.ts';
import { LegacyTokenCleaner } from './serviceaccount/legacy-token-cleaner.ts';
import { DefaultServiceAccountController } from './serviceaccount/serviceaccounts-controller.ts';
import { TokensController } from './serviceaccount/tokens-controller.ts';
import { StatefulSetController } from './statefulset/statefulset-controller.ts';
import { StorageVersionMigratorController } from './storageversionmigrator/storageversionmigrator-controller.ts';
import { TaintEvictionController } from './tainteviction/taint-eviction-controller.ts';
import { TtlAfterFinishedController } from './ttlafterfinished/ttl-after-finished-controller.ts';
import { UnmanagedWorkloadController } from './unmanagedworkload/unmanaged-workload-controller.ts';
import { ValidatingAdmissionPolicyStatusController } from './validatingadmissionpolicystatus/validatingadmissionpolicystatus-controller.ts';
import { protectedClaims, protectedVolumes } from './volumeprotection/volume-usage.ts';
import { VolumeProtectionController } from './volumeprotection/volumeprotection-controller.ts';

/** The controller that `orch dev` runs beside those of upstream. */
export const unmanagedWorkloadController = 'unmanaged-workload-controller';

/** Controllers in the order in which the server starts them. To add one, write its folder and add it here. */
export const controllers: readonly ControllerDescriptor[] = [
  {
    name: 'certificatesigningrequest-approving-controller',
    serviceAccount: 'certificate-controller',
    create: (context) => new CsrApprovingController(context),
  },
  {
    name: 'certificatesigningrequest-cleaner-controller',
    serviceAccount: 'certificate-controller',
    create: (context) => new CsrCleanerController(context),
  },
  {
    name: 'certificatesigningrequest-signing-controller',
    serviceAccount: 'certificate-controller',
    create: (context) => context.signer && new CsrSigningController(context, context.signer),
  },
  {
    name: 'clusterrole-aggregation-controller',
    serviceAccount: 'clusterrole-aggregation-controller',
    create: (context) => new ClusterRoleAggregationController(context),
  },
  {
    name: 'cronjob-controller',
    serviceAccount: 'cronjob-controller',
    create: (context) => new CronJobController(context),
  },
  {
    name: 'daemonset-controller',
    serviceAccount: 'daemon-set-controller',
    needsNodes: true,
    create: (context) => new DaemonSetController(context),
  },
  {
    name: 'deployment-controller',
    serviceAccount: 'deployment-controller',
    needsNodes: true,
    create: (context) => new DeploymentController(context),
  },
  {
    name: 'disruption-controller',
    serviceAccount: 'disruption-controller',
    create: (context) => new DisruptionController(context),
  },
  {
    name: 'endpoints-controller',
    serviceAccount: 'endpoint-controller',
    needsNodes: true,
    create: (context) => new EndpointsController(context),
  },
  {
    name: 'endpointslice-controller',
    serviceAccount: 'endpointslice-controller',
    needsNodes: true,
    create: (context) => new EndpointSliceController(context),
  },
  {
    name: 'endpointslice-mirroring-controller',
    serviceAccount: 'endpointslicemirroring-controller',
    needsNodes: true,
    create: (context) => new EndpointSliceMirroringController(context),
  },
  {
    name: 'ephemeral-volume-controller',
    serviceAccount: 'ephemeral-volume-controller',
    create: (context) => new EphemeralVolumeController(context),
  },
  {
    name: 'garbage-collector-controller',
    serviceAccount: 'generic-garbage-collector',
    create: (context) => new GarbageCollector(context),
  },
  {
    name: 'horizontalpodautoscaler-controller',
    serviceAccount: 'horizontal-pod-autoscaler',
    needsNodes: true,
    create: (context) => new HorizontalController(context),
  },
  {
    name: 'job-controller',
    serviceAccount: 'job-controller',
    needsNodes: true,
    create: (context) => new JobController(context),
  },
  {
    name: 'legacy-serviceaccount-token-cleaner-controller',
    serviceAccount: 'legacy-service-account-token-cleaner',
    create: (context) => new LegacyTokenCleaner(context),
  },
  {
    name: 'namespace-controller',
    serviceAccount: 'namespace-controller',
    create: (context) => new NamespaceController(context),
  },
  {
    name: 'node-lifecycle-controller',
    serviceAccount: 'node-controller',
    needsNodes: true,
    create: (context) => new NodeLifecycleController(context),
  },
  {
    name: 'persistentvolume-binder-controller',
    serviceAccount: 'persistent-volume-binder',
    needsNodes: true,
    create: (context) => new PersistentVolumeBinderController(context),
  },
  {
    name: 'persistentvolume-protection-controller',
    serviceAccount: 'pv-protection-controller',
    create: (context) => new VolumeProtectionController(context, protectedVolumes(context.dialect)),
  },
  {
    name: 'persistentvolumeclaim-protection-controller',
    serviceAccount: 'pvc-protection-controller',
    create: (context) => new VolumeProtectionController(context, protectedClaims(context.dialect)),
  },
  {
    name: 'pod-garbage-collector-controller',
    serviceAccount: 'pod-garbage-collector',
    needsNodes: true,
    create: (context) => new PodGcController(context),
  },
  {
    name: 'replicaset-controller',
    serviceAccount: 'replicaset-controller',
    needsNodes: true,
    create: (context) => new ReplicaSetController(context, replicaSets),
  },
  {
    name: 'replicationcontroller-controller',
    serviceAccount: 'replication-controller',
    needsNodes: true,
    create: (context) => new ReplicaSetController(context, replicationControllers),
  },
  {
    name: 'resourceclaim-controller',
    serviceAccount: 'resource-claim-controller',
    needsNodes: true,
    create: (context) =>
      context.features.enabled('DynamicResourceAllocation')
        ? new ResourceClaimController(context)
        : undefined,
  },
  {
    name: 'resourcequota-controller',
    serviceAccount: 'resourcequota-controller',
    create: (context) => new ResourceQuotaController(context),
  },
  {
    name: 'root-ca-certificate-publisher-controller',
    serviceAccount: 'root-ca-cert-publisher',
    create: (context) =>
      context.rootCa === undefined ? undefined : new RootCaCertPublisher(context, context.rootCa),
  },
  {
    name: 'serviceaccount-controller',
    serviceAccount: 'service-account-controller',
    create: (context) => new DefaultServiceAccountController(context),
  },
  {
    name: 'serviceaccount-token-controller',
    serviceAccount: undefined,
    create: (context) => new TokensController(context),
  },
  {
    name: 'statefulset-controller',
    serviceAccount: 'statefulset-controller',
    needsNodes: true,
    create: (context) => new StatefulSetController(context),
  },
  {
    name: 'storage-version-migrator-controller',
    serviceAccount: 'storage-version-migrator-controller',
    create: (context) =>
      context.features.enabled('StorageVersionMigrator')
        ? new StorageVersionMigratorController(context)
        : undefined,
  },
  {
    name: 'taint-eviction-controller',
    serviceAccount: 'node-controller',
    needsNodes: true,
    create: (context) => new TaintEvictionController(context),
  },
  {
    name: 'ttl-after-finished-controller',
    serviceAccount: 'ttl-after-finished-controller',
    needsNodes: true,
    create: (context) => new TtlAfterFinishedController(context),
  },
  {
    name: 'validatingadmissionpolicy-status-controller',
    serviceAccount: 'validatingadmissionpolicy-status-controller',
    create: (context) => new ValidatingAdmissionPolicyStatusController(context),
  },
  {
    name: 'scheduler',
    component: 'scheduler',
    serviceAccount: undefined,
    needsNodes: true,
    create: (context) => new Scheduler(context, context.schedulerConfig),
  },
  {
    name: unmanagedWorkloadController,
    serviceAccount: undefined,
    isOptIn: true,
    create: (context) => new UnmanagedWorkloadController(context),
  },
];
