import type { Dialect } from '../dialect/dialect.ts';
import type { ResourceDefinition } from '../kind/definition.ts';
import type { TableLayout } from '../kind/table.ts';
import * as admission from './admissionregistration/tables.ts';
import * as apps from './apps/tables.ts';
import { horizontalPodAutoscalerTable } from './autoscaling/tables.ts';
import * as batch from './batch/tables.ts';
import { podTable } from './core/pod-table.ts';
import * as core from './core/tables.ts';
import { endpointSliceTable } from './discovery/tables.ts';
import * as networking from './networking/tables.ts';
import { podDisruptionBudgetTable } from './policy/tables.ts';
import { roleBindingTable } from './rbac/tables.ts';
import * as devices from './resource/tables.ts';
import * as small from './small-tables.ts';
import * as storage from './storage/tables.ts';

/** The Tables of all kinds that have one of their own, by group and plural name. They show the stored version. */
const layouts = (dialect: Dialect): Readonly<Record<string, TableLayout>> => ({
  ' componentstatuses': core.componentStatusTable,
  ' configmaps': core.configMapTable,
  ' endpoints': core.endpointsTable,
  ' events': core.eventTable,
  ' namespaces': core.namespaceTable,
  ' nodes': core.nodeTable(dialect),
  ' persistentvolumeclaims': core.persistentVolumeClaimTable,
  ' persistentvolumes': core.persistentVolumeTable,
  ' pods': podTable,
  ' podtemplates': core.podTemplateTable,
  ' replicationcontrollers': core.replicationControllerTable,
  ' resourcequotas': core.resourceQuotaTable,
  ' secrets': core.secretTable,
  ' serviceaccounts': core.serviceAccountTable,
  ' services': core.serviceTable,
  'admissionregistration mutatingadmissionpolicies': admission.mutatingAdmissionPolicyTable,
  'admissionregistration mutatingadmissionpolicybindings': admission.bindingTable,
  'admissionregistration mutatingwebhookconfigurations': admission.webhookTable,
  'admissionregistration validatingadmissionpolicies': admission.validatingAdmissionPolicyTable,
  'admissionregistration validatingadmissionpolicybindings': admission.bindingTable,
  'admissionregistration validatingwebhookconfigurations': admission.webhookTable,
  'apiregistration apiservices': small.apiServiceTable,
  'apps controllerrevisions': apps.controllerRevisionTable,
  'apps daemonsets': apps.daemonSetTable,
  'apps deployments': apps.deploymentTable,
  'apps replicasets': apps.replicaSetTable,
  'apps statefulsets': apps.statefulSetTable,
  'autoscaling horizontalpodautoscalers': horizontalPodAutoscalerTable,
  'batch cronjobs': batch.cronJobTable,
  'batch jobs': batch.jobTable,
  'certificates certificatesigningrequests': small.certificateSigningRequestTable,
  'certificates clustertrustbundles': small.clusterTrustBundleTable,
  'coordination leasecandidates': small.leaseCandidateTable,
  'coordination leases': small.leaseTable,
  'discovery endpointslices': endpointSliceTable,
  'events events': core.eventTable,
  'flowcontrol.apiserver flowschemas': small.flowSchemaTable,
  'flowcontrol.apiserver prioritylevelconfigurations': small.priorityLevelTable,
  'internal.apiserver storageversions': small.storageVersionTable,
  'networking ingressclasses': networking.ingressClassTable,
  'networking ingresses': networking.ingressTable(dialect),
  'networking ipaddresses': networking.ipAddressTable,
  'networking networkpolicies': networking.networkPolicyTable,
  'networking servicecidrs': networking.serviceCidrTable,
  'node runtimeclasses': small.runtimeClassTable,
  'policy poddisruptionbudgets': podDisruptionBudgetTable,
  'rbac.authorization clusterrolebindings': roleBindingTable,
  'rbac.authorization rolebindings': roleBindingTable,
  'resource deviceclasses': devices.nameAndAgeTable,
  'resource devicetaintrules': devices.deviceTaintRuleTable,
  'resource resourceclaims': devices.resourceClaimTable,
  'resource resourceclaimtemplates': devices.nameAndAgeTable,
  'resource resourceslices': devices.resourceSliceTable,
  'scheduling priorityclasses': small.priorityClassTable,
  'storage csidrivers': storage.csiDriverTable,
  'storage csinodes': storage.csiNodeTable,
  'storage storageclasses': storage.storageClassTable(dialect),
  'storage volumeattachments': storage.volumeAttachmentTable,
  'storage volumeattributesclasses': storage.volumeAttributesClassTable,
  'storagemigration storageversionmigrations': small.storageVersionMigrationTable,
});

/** Gives every kind its Table. */
export function withTables(
  definitions: readonly ResourceDefinition[],
  dialect: Dialect,
): ResourceDefinition[] {
  const known = layouts(dialect);
  return definitions.map((definition) => {
    const table = known[`${definition.group} ${definition.plural}`];
    return table ? { ...definition, table } : definition;
  });
}
