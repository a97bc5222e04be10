import type { Subject } from '../case.ts';
import { access } from './access.ts';
import { accounts } from './admission-accounts.ts';
import { classes } from './admission-classes.ts';
import { namespaceLifecycle } from './admission-namespaces.ts';
import { admissionPolicies } from './admission-policies.ts';
import { priority } from './admission-priority.ts';
import { admissionWebhooks } from './admission-webhooks.ts';
import { aggregation } from './aggregation.ts';
import { applyBodies } from './apply-bodies.ts';
import { applyConflicts } from './apply-conflicts.ts';
import { applyKinds } from './apply-kinds.ts';
import { applyLists } from './apply-lists.ts';
import { applyObjects } from './apply-objects.ts';
import { applyPods } from './apply-pods.ts';
import { applyRemovedVersions } from './apply-removed-versions.ts';
import { applySubresources } from './apply-subresources.ts';
import { applyTypes } from './apply-types.ts';
import { applyVersions } from './apply-versions.ts';
import { authentication } from './authentication.ts';
import { authorization } from './authorization.ts';
import { bootstrapPolicy } from './bootstrap-policy.ts';
import { certificates } from './certificates.ts';
import { configMaps } from './configmaps.ts';
import { connections } from './connections.ts';
import { controllerRevisions } from './controllerrevisions.ts';
import { crdConditions } from './crd-conditions.ts';
import { crdConversions } from './crd-conversions.ts';
import { crdFormats } from './crd-formats.ts';
import { crdRules } from './crd-rules.ts';
import { cronJobRules } from './cronjobs.ts';
import { customObjects } from './custom-objects.ts';
import { customResourceDefinitions } from './customresourcedefinitions.ts';
import { daemonSetRules } from './daemonsets.ts';
import { decoding } from './decoding.ts';
import { deleteCollection, deletion } from './delete.ts';
import { deploymentRules } from './deployments.ts';
import { deprecations } from './deprecations.ts';
import { deviceClasses } from './deviceclasses.ts';
import { discovery } from './discovery.ts';
import { endpointSets } from './endpoints.ts';
import { endpointSliceRules } from './endpointslices.ts';
import { escalation } from './escalation.ts';
import { eventGroups } from './events.ts';
import { expired } from './expired.ts';
import { fairness } from './fairness.ts';
import { fieldValidation } from './field-validation.ts';
import { flowControl } from './flowcontrol.ts';
import { formats } from './formats.ts';
import { frontProxy } from './front-proxy.ts';
import { componentStatus, health } from './health.ts';
import { horizontalPodAutoscalerRules } from './horizontalpodautoscalers.ts';
import { impersonation } from './impersonation.ts';
import { ingressClassRules } from './ingressclasses.ts';
import { ingressRules } from './ingresses.ts';
import { ipAddressRules } from './ipaddresses.ts';
import { jobRules } from './jobs.ts';
import { leaseRules } from './leases.ts';
import { limitRanger } from './limitranger.ts';
import { limitRanges } from './limitranges.ts';
import { limits } from './limits.ts';
import { listResourceVersion, lists, paging } from './list.ts';
import { managedFieldsDuplicates } from './managed-fields-duplicates.ts';
import { managedFieldsEdits } from './managed-fields-edits.ts';
import { managedFieldsWrites } from './managed-fields-writes.ts';
import { metadata } from './metadata.ts';
import { metadataKinds } from './metadata-kinds.ts';
import { mutatedObjects } from './mutated-objects.ts';
import { names } from './names.ts';
import { namespaceLife } from './namespaces.ts';
import { negotiation } from './negotiation.ts';
import { networkPolicyRules } from './networkpolicies.ts';
import { machines } from './nodes.ts';
import { oddPaths } from './odd-paths.ts';
import { openApi } from './openapi.ts';
import { openApiOfCustomKinds } from './openapi-custom.ts';
import { ownRules } from './own-rules.ts';
import { jsonPatches } from './patch-json.ts';
import { patchedKinds } from './patch-kinds.ts';
import { patchLimits } from './patch-limits.ts';
import { mergePatches } from './patch-merge.ts';
import { patchParts } from './patch-parts.ts';
import { strategicLists } from './patch-strategic-lists.ts';
import { strategicMaps } from './patch-strategic-maps.ts';
import { patchTerms } from './patch-terms.ts';
import { patchVersions } from './patch-versions.ts';
import { patches } from './patches.ts';
import { pathsAndMethods } from './paths.ts';
import { persistentVolumeClaimRules } from './persistentvolumeclaims.ts';
import { persistentVolumeRules } from './persistentvolumes.ts';
import { podContainers } from './pod-spec-containers.ts';
import { podNetwork } from './pod-spec-network.ts';
import { podPlacement } from './pod-spec-placement.ts';
import { podSecurity } from './pod-spec-security.ts';
import { podDisruptionBudgetRules } from './poddisruptionbudgets.ts';
import { podRules } from './pods.ts';
import { podParts } from './pods-parts.ts';
import { podStandards } from './podsecurity.ts';
import { podTemplateRules } from './podtemplates.ts';
import { policyActions } from './policies-actions.ts';
import { policyExpressions } from './policies-expressions.ts';
import { policyRules } from './policies-rules.ts';
import { policyWrites } from './policies-writes.ts';
import { dryRun, queries } from './queries.ts';
import { rbac } from './rbac.ts';
import { replicaSetRules } from './replicasets.ts';
import { replicationControllerRules } from './replicationcontrollers.ts';
import { resourceClaims } from './resourceclaims.ts';
import { resourceQuota } from './resourcequota.ts';
import { resourceSlices } from './resourceslices.ts';
import { reviews } from './reviews.ts';
import { reviewsAccess } from './reviews-access.ts';
import { reviewsSelectors } from './reviews-selectors.ts';
import { scaleSubresource } from './scale.ts';
import { secretTypes } from './secrets.ts';
import { selectors } from './selectors.ts';
import { serviceAllocation } from './service-allocation.ts';
import { serviceCidrRules } from './servicecidrs.ts';
import { serviceRules } from './services.ts';
import { signerRights } from './signers.ts';
import { signingRequests } from './signing-requests.ts';
import { smallKinds } from './small-kinds.ts';
import { statefulSetRules } from './statefulsets.ts';
import { volumeAttachmentRules } from './storage-attachments.ts';
import { storageClassRules, volumeAttributesClassRules } from './storage-classes.ts';
import { csiDriverRules, csiNodeRules, csiStorageCapacityRules } from './storage-csi.ts';
import { tokenRequests } from './token-requests.ts';
import { tokenReviews } from './token-reviews.ts';
import { update } from './update.ts';
import { volumeRules } from './volumes.ts';
import { watches } from './watch.ts';
import { webhooks } from './webhooks.ts';

export const corpus: Subject[] = [
  discovery,
  openApi,
  openApiOfCustomKinds,
  health,
  access,
  authentication,
  frontProxy,
  impersonation,
  tokenRequests,
  tokenReviews,
  pathsAndMethods,
  negotiation,
  queries,
  decoding,
  fieldValidation,
  names,
  metadata,
  update,
  dryRun,
  deletion,
  deleteCollection,
  lists,
  listResourceVersion,
  paging,
  selectors,
  watches,
  webhooks,
  limits,
  namespaceLife,
  configMaps,
  secretTypes,
  limitRanges,
  limitRanger,
  resourceQuota,
  podStandards,
  endpointSets,
  eventGroups,
  controllerRevisions,
  leaseRules,
  componentStatus,
  ...rbac,
  patches,
  jsonPatches,
  mergePatches,
  strategicMaps,
  strategicLists,
  patchTerms,
  patchParts,
  patchLimits,
  patchVersions,
  patchedKinds,
  fairness,
  ...flowControl,
  reviews,
  reviewsAccess,
  reviewsSelectors,
  signerRights,
  signingRequests,
  ...machines,
  ...certificates,
  ...smallKinds,
  crdConditions,
  ...aggregation,
  crdConversions,
  crdFormats,
  ...crdRules,
  customResourceDefinitions,
  customObjects,
  ...admissionWebhooks,
  ...admissionPolicies,
  namespaceLifecycle,
  accounts,
  ...classes,
  ...priority,
  deprecations,
  ...deviceClasses,
  ...resourceClaims,
  ...resourceSlices,
  volumeRules,
  persistentVolumeRules,
  persistentVolumeClaimRules,
  storageClassRules,
  csiDriverRules,
  csiNodeRules,
  csiStorageCapacityRules,
  volumeAttachmentRules,
  volumeAttributesClassRules,
  formats,
  deploymentRules,
  replicaSetRules,
  statefulSetRules,
  daemonSetRules,
  replicationControllerRules,
  jobRules,
  cronJobRules,
  horizontalPodAutoscalerRules,
  podDisruptionBudgetRules,
  scaleSubresource,
  serviceRules,
  serviceAllocation,
  ingressRules,
  ingressClassRules,
  networkPolicyRules,
  endpointSliceRules,
  ipAddressRules,
  serviceCidrRules,
  expired,
  podContainers,
  podPlacement,
  podSecurity,
  podNetwork,
  podRules,
  podParts,
  connections,
  podTemplateRules,
  applyObjects,
  applyBodies,
  applyTypes,
  applyLists,
  applyRemovedVersions,
  applySubresources,
  applyKinds,
  applyVersions,
  applyPods,
  applyConflicts,
  managedFieldsDuplicates,
  managedFieldsEdits,
  managedFieldsWrites,
  authorization,
  escalation,
  bootstrapPolicy,
  oddPaths,
  policyActions,
  policyExpressions,
  policyRules,
  policyWrites,
  ownRules,
  mutatedObjects,
  metadataKinds,
];
