import type { KindContext } from '../kind/context.ts';
import type { ResourceDefinition } from '../kind/definition.ts';
import { withDeprecations } from '../kind/deprecations.ts';
import { mutatingadmissionpolicies } from './admissionregistration/mutatingadmissionpolicy.ts';
import { mutatingadmissionpolicybindings } from './admissionregistration/mutatingadmissionpolicybinding.ts';
import { mutatingwebhookconfigurations } from './admissionregistration/mutatingwebhookconfiguration.ts';
import {
  validatingadmissionpolicies,
  validatingadmissionpoliciesV1beta1,
} from './admissionregistration/validatingadmissionpolicy.ts';
import {
  validatingadmissionpolicybindings,
  validatingadmissionpolicybindingsV1beta1,
} from './admissionregistration/validatingadmissionpolicybinding.ts';
import { validatingwebhookconfigurations } from './admissionregistration/validatingwebhookconfiguration.ts';
import { customresourcedefinitions } from './apiextensions/customresourcedefinition.ts';
import { apiservices } from './apiregistration/apiservice.ts';
import { storageversions } from './apiserverinternal/storageversion.ts';
import { controllerrevisions } from './apps/controllerrevision.ts';
import { daemonsets } from './apps/daemonset-definition.ts';
import { deployments } from './apps/deployment-definition.ts';
import { replicasets } from './apps/replicaset-definition.ts';
import { statefulsets } from './apps/statefulset-definition.ts';
import { selfsubjectreviews } from './authentication/selfsubjectreview.ts';
import { tokenreviews } from './authentication/tokenreview.ts';
import { localsubjectaccessreviews } from './authorization/localsubjectaccessreview.ts';
import { selfsubjectaccessreviews } from './authorization/selfsubjectaccessreview.ts';
import { selfsubjectrulesreviews } from './authorization/selfsubjectrulesreview.ts';
import { subjectaccessreviews } from './authorization/subjectaccessreview.ts';
import { horizontalpodautoscalers } from './autoscaling/horizontalpodautoscaler-definition.ts';
import { horizontalpodautoscalersV1 } from './autoscaling/horizontalpodautoscaler-v1-definition.ts';
import { cronjobs } from './batch/cronjob-definition.ts';
import { jobs } from './batch/job-definition.ts';
import { certificatesigningrequests } from './certificates/certificatesigningrequest-definition.ts';
import { clustertrustbundles, clustertrustbundlesV1alpha1 } from './certificates/clustertrustbundle.ts';
import { leases } from './coordination/lease.ts';
import { leasecandidates, leasecandidatesV1alpha2 } from './coordination/leasecandidate.ts';
import { bindings } from './core/binding.ts';
import { componentstatuses } from './core/componentstatus.ts';
import { configmaps } from './core/configmap.ts';
import { endpoints } from './core/endpoints.ts';
import { coreEvents } from './core/event-definition.ts';
import { withIscsiFileSystem } from './core/iscsi-file-system.ts';
import { limitranges } from './core/limitrange.ts';
import { namespaces } from './core/namespace.ts';
import { nodes } from './core/node-definition.ts';
import { persistentvolumes } from './core/persistentvolume-definition.ts';
import { persistentvolumeclaims } from './core/persistentvolumeclaim-definition.ts';
import { pods } from './core/pod-definition.ts';
import { podtemplates } from './core/podtemplate.ts';
import { replicationcontrollers } from './core/replicationcontroller.ts';
import { resourcequotas } from './core/resourcequota-definition.ts';
import { secrets } from './core/secret.ts';
import { services } from './core/service-definition.ts';
import { serviceaccounts } from './core/serviceaccount.ts';
import { endpointslices } from './discovery/endpointslice-definition.ts';
import { events } from './events/event.ts';
import { flowschemas } from './flowcontrol/flowschema-definition.ts';
import { prioritylevelconfigurations } from './flowcontrol/prioritylevelconfiguration-definition.ts';
import { ingresses } from './networking/ingress-definition.ts';
import { ingressclasses } from './networking/ingressclass.ts';
import { ipaddresses, ipaddressesV1beta1 } from './networking/ipaddress.ts';
import { networkpolicies } from './networking/networkpolicy-definition.ts';
import { servicecidrs, servicecidrsV1beta1 } from './networking/servicecidr.ts';
import { runtimeclasses } from './node/runtimeclass.ts';
import { poddisruptionbudgets } from './policy/poddisruptionbudget.ts';
import { clusterroles } from './rbac/clusterrole-definition.ts';
import { clusterrolebindings } from './rbac/clusterrolebinding.ts';
import { roles } from './rbac/role.ts';
import { rolebindings } from './rbac/rolebinding-definition.ts';
import { deviceclasses, deviceclassesV1alpha3, deviceclassesV1beta2 } from './resource/deviceclass.ts';
import { devicetaintrules } from './resource/devicetaintrule-v1alpha3.ts';
import { resourceclaims, resourceclaimsV1alpha3 } from './resource/resourceclaim-definition.ts';
import { resourceclaimsV1beta2 } from './resource/resourceclaim-v1beta2.ts';
import { resourceclaimtemplates, resourceclaimtemplatesV1alpha3 } from './resource/resourceclaimtemplate.ts';
import { resourceclaimtemplatesV1beta2 } from './resource/resourceclaimtemplate-v1beta2.ts';
import { resourceslices } from './resource/resourceslice-definition.ts';
import { resourceslicesV1alpha3 } from './resource/resourceslice-v1alpha3-definition.ts';
import { resourceslicesV1beta2 } from './resource/resourceslice-v1beta2-definition.ts';
import { priorityclasses } from './scheduling/priorityclass.ts';
import { csidrivers } from './storage/csidriver-definition.ts';
import { csinodes } from './storage/csinode-definition.ts';
import { csistoragecapacities } from './storage/csistoragecapacity.ts';
import { storageclasses } from './storage/storageclass-definition.ts';
import { volumeattachments } from './storage/volumeattachment-definition.ts';
import { volumeattributesclasses, volumeattributesclassesV1alpha1 } from './storage/volumeattributesclass.ts';
import { storageversionmigrations } from './storagemigration/storageversionmigration.ts';

/** Every kind the server is built with. */
export function builtinKinds(context: KindContext): ResourceDefinition[] {
  const { dialect } = context;
  const kinds: ResourceDefinition[] = [
    componentstatuses(),
    configmaps(dialect),
    endpoints(context),
    coreEvents(dialect),
    limitranges(dialect),
    namespaces(dialect),
    secrets(dialect),
    controllerrevisions(dialect),
    leases(),
    events(dialect),
    bindings(context),
    nodes(context),
    persistentvolumeclaims(context),
    persistentvolumes(context),
    pods(context),
    podtemplates(context),
    replicationcontrollers(context),
    resourcequotas(context),
    serviceaccounts(context),
    services(context),
    apiservices(context),
    customresourcedefinitions(context),
    daemonsets(context),
    deployments(context),
    replicasets(context),
    statefulsets(context),
    selfsubjectreviews(context),
    tokenreviews(context),
    localsubjectaccessreviews(context),
    selfsubjectaccessreviews(context),
    selfsubjectrulesreviews(context),
    subjectaccessreviews(context),
    horizontalpodautoscalers(context),
    horizontalpodautoscalersV1(context),
    cronjobs(context),
    jobs(context),
    certificatesigningrequests(context),
    clustertrustbundles(context),
    clustertrustbundlesV1alpha1(context),
    ingressclasses(context),
    ingresses(context),
    ipaddresses(context),
    networkpolicies(context),
    servicecidrs(context),
    ipaddressesV1beta1(context),
    servicecidrsV1beta1(context),
    poddisruptionbudgets(context),
    clusterrolebindings(context),
    clusterroles(context),
    rolebindings(context),
    roles(context),
    csidrivers(context),
    csinodes(context),
    csistoragecapacities(context),
    storageclasses(context),
    volumeattachments(context),
    volumeattributesclasses(context),
    volumeattributesclassesV1alpha1(context),
    mutatingwebhookconfigurations(context),
    validatingadmissionpolicies(context),
    validatingadmissionpolicybindings(context),
    validatingwebhookconfigurations(context),
    validatingadmissionpoliciesV1beta1(context),
    validatingadmissionpolicybindingsV1beta1(context),
    mutatingadmissionpolicies(context),
    mutatingadmissionpolicybindings(context),
    priorityclasses(context),
    leasecandidates(context),
    leasecandidatesV1alpha2(context),
    runtimeclasses(context),
    endpointslices(context),
    deviceclassesV1beta2(context),
    resourceclaimsV1beta2(context),
    resourceclaimtemplatesV1beta2(context),
    resourceslicesV1beta2(context),
    deviceclasses(context),
    resourceclaims(context),
    resourceclaimtemplates(context),
    resourceslices(context),
    deviceclassesV1alpha3(context),
    devicetaintrules(context),
    resourceclaimsV1alpha3(context),
    resourceclaimtemplatesV1alpha3(context),
    resourceslicesV1alpha3(context),
    flowschemas(context),
    prioritylevelconfigurations(context),
    storageversions(context),
    storageversionmigrations(context),
  ];
  return withDeprecations(withIscsiFileSystem(kinds, dialect));
}
