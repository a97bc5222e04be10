// Dialect: every identifier that contains the name or domain of the service, and the rules in which dialects differ. A server
// has one dialect: `kubernetes` has upstream's names, `orch` those in Orch's own domain.

export interface Dialect {
  readonly name: 'orch' | 'kubernetes';

  /** The name of a built-in group by its id: `events` is `events.orch.io`. */
  groupName(id: string): string;
  /** The id of a built-in group by its name. */
  groupId(name: string): string | undefined;
  /** `v1`, `apps/v1`, `events.orch.io/v1`. */
  apiVersion(groupId: string, version: string): string;

  /** The prefix of OpenAPI extensions: `x-orch-` in `x-orch-list-type`. */
  readonly extensionPrefix: string;
  /** The OpenAPI name of a type: `core/v1.Pod` is `io.orch.api.core.v1.Pod`. */
  schemaName(fullName: string): string;
  /** The title of the OpenAPI documents. */
  readonly title: string;
  readonly protobufMediaType: string;
  /** The prefix of every object in the Kubernetes Protobuf encoding. */
  readonly protobufMagic: string;

  /** Namespaces that the server creates at start-up. */
  readonly systemNamespaces: readonly string[];
  /** Namespaces that NamespaceLifecycle does not let clients delete. */
  readonly immortalNamespaces: readonly string[];
  /** The namespace of the control plane's own objects: `kube-system`. */
  readonly systemNamespace: string;
  /** The managed-by label of IPAddress objects for Service cluster IPs. */
  readonly ipAllocatorName: string;
  /** The namespace with objects that every authenticated client may read: `kube-public`. */
  readonly publicNamespace: string;
  /** The namespace of node Leases. */
  readonly nodeLeaseNamespace: string;

  /** The Service in `default` whose endpoints are the API servers. */
  readonly apiServiceName: string;
  /** The field manager, event source and lease holder of the server's own writes: `kube-apiserver`. */
  readonly serverName: string;
  /** The name of another component: `kube-scheduler`. */
  component(part: string): string;
  /** The component name in flags that configure several components: `kube:WatchList=true`. */
  readonly componentName: string;
  /** The default issuer and audience of service account tokens. */
  readonly clusterAudience: string;
  /** The private claim of service account tokens, which has namespace, service account and pod. */
  readonly tokenClaim: string;
  /** The issuer of legacy service account tokens, which are stored in Secrets. */
  readonly legacyTokenIssuer: string;
  /** The ConfigMap with the date since which the server tracks the use of legacy tokens. */
  readonly legacyTokenTrackingName: string;
  readonly userExtra: DialectUserExtra;
  readonly tokenVolume: DialectTokenVolume;

  readonly labels: DialectLabels;
  readonly annotations: DialectAnnotations;
  readonly simulation: DialectSimulation;
  readonly finalizers: DialectFinalizers;
  readonly secretTypes: DialectSecretTypes;
  readonly headers: DialectHeaders;
  readonly signers: DialectSigners;
  readonly taints: DialectTaints;
  readonly rules: DialectRules;

  /** Resource names (`cpu`) in this domain and without a domain are native resources. */
  readonly resourceDomain: string;
  /** A CustomResourceDefinition for a group in these domains needs the api-approved annotation. */
  readonly protectedDomains: readonly string[];
  /** The end of the error message for a missing api-approved annotation. */
  readonly apiApprovalAdvice: string;
  /** The condition of a CustomResourceDefinition that reports whether its api-approved annotation is valid. */
  readonly apiApprovalCondition: string;
  /** Label and annotation domains that users must not use for their own keys. */
  readonly reservedDomains: readonly string[];
  /** The group of VolumeSnapshot, which is a custom resource. */
  readonly snapshotGroup: string;
  /** The provisioner of a StorageClass whose volumes an administrator creates. */
  readonly noProvisioner: string;
  /** Deprecated node labels with their replacements. */
  readonly deprecatedNodeLabels: readonly DeprecatedLabel[];

  /** The group of KubeSchedulerConfiguration, the format of a file. */
  readonly schedulerConfigGroup: string;

  /** The value of the managed-by label of EndpointSlices of the EndpointSlice controller. */
  readonly endpointSliceControllerName: string;
  /** The same of the EndpointSlice mirroring controller. */
  readonly endpointSliceMirroringControllerName: string;
  /** The value of `spec.managedBy` of a Job that stands for the built-in controller. */
  readonly jobControllerName: string;

  /** The prefix of metrics that are common to all components: `kubernetes_feature_enabled`. */
  readonly metricPrefix: string;
}

interface DeprecatedLabel {
  readonly label: string;
  readonly deprecatedSince: string;
  readonly replacement: string;
}

interface DialectLabels {
  /** On bootstrap roles and bindings: `rbac-defaults`. */
  readonly bootstrapping: string;
  /** On a ClusterRole, followed by the name of the aggregated role that includes its rules. */
  readonly aggregateToPrefix: string;
  /** On a namespace, followed by a mode: its Pod Security level. Audit annotations have the same prefix. */
  readonly podSecurityPrefix: string;
  /** On an APIService that the server manages: `onstart` if it is only created at start-up, otherwise `true`. */
  readonly automanaged: string;
  /** On a namespace: its ResourceClaims may request admin access to devices in use. */
  readonly adminAccess: string;
  /** On a node: its host name. */
  readonly hostname: string;
  /** On a node: its operating system and architecture. */
  readonly os: string;
  readonly arch: string;
  /** On a node: its zone and region, by which the scheduler spreads pods. */
  readonly zone: string;
  readonly region: string;
  /** On a node that the server simulates. */
  readonly simulatedNode: string;
  /** On a node, and copied to its pods: zone and region. */
  readonly topology: readonly string[];
  /** On a node, followed by its role. */
  readonly nodeRolePrefix: string;
  /** On a node: its role as the value. */
  readonly nodeRole: string;
  /** On a node: it does not count for the disruption state of its zone. */
  readonly excludeDisruption: string;
  /** On a namespace: its name, for label selectors. */
  readonly namespaceName: string;
  readonly serviceName: string;
  readonly endpointSliceManagedBy: string;
  readonly endpointsManagedBy: string;
  /** On the Endpoints and EndpointSlices of a Service without a cluster IP. */
  readonly headlessService: string;
  /** On the pods of a Job: name and UID of the Job. */
  readonly jobName: string;
  readonly jobUid: string;
  /** On the pods of an Indexed Job, as a label and as an annotation: the completion index. */
  readonly jobCompletionIndex: string;
  /** On Endpoints: the EndpointSlice mirroring controller skips them. */
  readonly endpointSliceSkipMirror: string;
  /** On an IPAddress: the IP family, and the component that manages it. */
  readonly ipAddressFamily: string;
  readonly ipAddressManagedBy: string;
  /** On a Secret with a legacy service account token: the date of its last use, and the date since which it is invalid. */
  readonly tokenLastUsed: string;
  readonly tokenInvalidSince: string;
  /** On the pods of a StatefulSet: their ordinal and name. */
  readonly podIndex: string;
  readonly statefulSetPodName: string;
  /** On a ControllerRevision of a StatefulSet: the hash of its template. */
  readonly revisionHash: string;
}

interface DialectAnnotations {
  /** On a Job: the scheduled time for which its CronJob created it. */
  readonly cronJobScheduledAt: string;
  /** On the pods of a Job with backoffLimitPerIndex: earlier failures of the index, and those that the podFailurePolicy ignored. */
  readonly jobIndexFailureCount: string;
  readonly jobIndexIgnoredFailureCount: string;
  /** On a ResourceClaim that was generated for a pod: the entry in the pod's `resourceClaims`. */
  readonly podClaimName: string;
  /** On a bootstrap role or binding: `false` disables reconciliation. */
  readonly autoupdate: string;
  /** On a HorizontalPodAutoscaler in autoscaling/v1: fields that only v2 has, as JSON. */
  readonly autoscalerMetrics: string;
  readonly autoscalerCurrentMetrics: string;
  readonly autoscalerConditions: string;
  readonly autoscalerBehavior: string;
  /** On the default StorageClass, and its beta name. */
  readonly defaultStorageClass: string;
  readonly betaDefaultStorageClass: string;
  /** On the default IngressClass. */
  readonly defaultIngressClass: string;
  /** On an Ingress, deprecated: its class. */
  readonly ingressClass: string;
  /** On a Service: the source CIDRs that its load balancer accepts. */
  readonly loadBalancerSourceRanges: string;
  /** On a Service: topology aware routing; the second is the deprecated name. */
  readonly topologyMode: string;
  readonly topologyAwareHints: string;
  /** On the bookmark after the initial events of a watch. */
  readonly initialEventsEnd: string;
  /** On the same bookmark: an empty list of the kind, which the client fills with the objects of the initial events. */
  readonly initialEventsListBlueprint: string;
  /** On audit events of requests to deprecated API versions. */
  readonly deprecated: string;
  readonly removedRelease: string;
  /** On audit events of TokenRequests: the ID of the issued token. */
  readonly issuedCredentialId: string;
  /** On audit events: the authorizer's decision and reason. */
  readonly auditDecision: string;
  readonly auditReason: string;
  /** On audit events that were truncated because their objects are too large. */
  readonly auditTruncated: string;
  /** On audit events of writes that violate a ValidatingAdmissionPolicy. */
  readonly auditValidationFailure: string;
  readonly serviceAccountName: string;
  readonly serviceAccountUid: string;
  /** On a CustomResourceDefinition in a protected group: the URL of the approval, or `unapproved`. */
  readonly apiApproved: string;
  /** The configuration that `kubectl apply` last applied on the client side. */
  readonly lastAppliedConfiguration: string;
  /** On Endpoints from which addresses are left out, because they are too many: `truncated`. */
  readonly endpointsOverCapacity: string;
  /** On Endpoints and EndpointSlices: when the pod or Service changed that led to their last change. */
  readonly lastChangeTriggerTime: string;
  /** On Endpoints, deprecated: the record of a leader election. */
  readonly leaderElectionRecord: string;
  /** On a Service, deprecated: its endpoints are published before they are ready. */
  readonly tolerateUnreadyEndpoints: string;
  /** On PersistentVolumes and claims, deprecated: the storage class and the mount options. */
  readonly storageClass: string;
  readonly mountOptions: string;
  /** On a PersistentVolumeClaim: it is completely bound to its volume. */
  readonly bindCompleted: string;
  /** On a PersistentVolume or claim: a controller, not a user, has bound it. */
  readonly boundByController: string;
  /** On a PersistentVolume: the provisioner that created it. */
  readonly provisionedBy: string;
  /** On a PersistentVolumeClaim: the provisioner that is to create its volume, and its beta name. */
  readonly storageProvisioner: string;
  readonly betaStorageProvisioner: string;
  /** On a PersistentVolumeClaim: the node for which its volume is to be provisioned. */
  readonly selectedNode: string;
  /** On a mirror pod, which represents a static pod of a kubelet. */
  readonly mirrorPod: string;
  /** On a ServiceAccount, deprecated: its pods may mount only the Secrets that it lists. */
  readonly enforceMountableSecrets: string;
  /** On any object: a description for people. */
  readonly description: string;
  /** On a pod: the defaults that the LimitRanger plugin set. */
  readonly limitRanger: string;
  /** On a suggested FlowSchema or PriorityLevelConfiguration: `false` disables reconciliation. */
  readonly flowControlAutoupdate: string;
  /** On pods, without effect today: once marked them as critical. */
  readonly criticalPod: string;
  /** On pods, deprecated: tolerations as JSON. */
  readonly podTolerations: string;
  /** On a pod: a ReplicaSet that scales down deletes pods with a lower cost first. */
  readonly podDeletionCost: string;
  /** On a Deployment and its ReplicaSets: the revision of the template; on a ReplicaSet, also its earlier revisions. */
  readonly deploymentRevision: string;
  readonly deploymentRevisionHistory: string;
  /** On a ReplicaSet of a Deployment: the replicas of the Deployment when it was last scaled, and those plus maxSurge. */
  readonly deploymentDesiredReplicas: string;
  readonly deploymentMaxReplicas: string;
  /** On pods, deprecated: the seccomp profile of all containers; with a container's name after the prefix, of that one. */
  readonly podSeccomp: string;
  readonly containerSeccompPrefix: string;
  /** On pods, deprecated, followed by a container's name: its AppArmor profile. */
  readonly containerAppArmorPrefix: string;
}

/** Annotations that simulated nodes read, and their provisioner. They are Orch's own in every dialect. */
interface DialectSimulation {
  /** On a node: `true` stops its kubelet. */
  readonly failed: string;
  /** On a pod: it completes after this duration. */
  readonly completeAfter: string;
  /** On a pod: the exit code of its containers. */
  readonly exitCode: string;
  /** On a pod: `true` delays its deletion until its grace period has passed. */
  readonly useGracePeriod: string;
  /** On a pod: the log of its containers. */
  readonly logs: string;
  /** The provisioner of simulated volumes. */
  readonly provisioner: string;
  /** On a pod: the CPU that it uses, or that each of its containers uses. */
  readonly cpuUsage: string;
  /** On a pod: the memory that it uses, or that each of its containers uses. */
  readonly memoryUsage: string;
}

interface DialectFinalizers {
  /** In `spec.finalizers` of a Namespace until its content is deleted. */
  readonly namespace: string;
  /** On a CustomResourceDefinition until its custom resources are deleted. */
  readonly customResources: string;
  /** On PersistentVolumes, claims and VolumeAttributesClasses while they are in use. */
  readonly volumeProtection: string;
  readonly claimProtection: string;
  readonly attributesClassProtection: string;
  /** On ResourceClaims with allocated devices. */
  readonly allocatedClaim: string;
  /** On the pods of a Job until they are counted in its status. */
  readonly jobTracking: string;
  /** On objects whose dependents the garbage collector orphans, or deletes first. */
  readonly orphan: 'orphan';
  readonly foreground: 'foregroundDeletion';
}

interface DialectSecretTypes {
  readonly opaque: 'Opaque';
  readonly serviceAccountToken: string;
  readonly dockercfg: string;
  readonly dockerConfigJson: string;
  readonly basicAuth: string;
  readonly sshAuth: string;
  readonly tls: string;
  readonly bootstrapToken: string;
}

/** The projected volume with a service account token that admission adds to pods. */
interface DialectTokenVolume {
  /** The prefix of the volume's name. */
  readonly namePrefix: string;
  readonly mountPath: string;
  /** The name of the ConfigMap in every namespace with the CA bundle of the API server. */
  readonly caConfigMap: string;
}

/** Keys of `extra` in UserInfo. */
interface DialectUserExtra {
  readonly credentialId: string;
  readonly nodeName: string;
  readonly nodeUid: string;
  readonly podName: string;
  readonly podUid: string;
}

/** Rules in which Orch's own specification differs from the checks of the Kubernetes release that it follows. */
export interface DialectRules {
  /** Valid `reason` values of a validation in a ValidatingAdmissionPolicy. */
  readonly validationReasons: readonly string[];
  /** A validation of an admission policy needs a message if its expression has several lines. */
  readonly multilineExpressionsNeedMessage: boolean;
  /** The variables of an admission policy have different names. */
  readonly variableNamesAreUnique: boolean;
  /** Valid formats of additionalPrinterColumns. */
  readonly columnFormats: readonly string[];
  /** Versions of a CustomResourceDefinition with the same schema may have different selectableFields, and vice versa. */
  readonly selectableFieldsArePerVersion: boolean;
  /** The kind of a CustomResourceDefinition is CamelCase. */
  readonly kindsAreCamelCase: boolean;
  /** Numbers of custom resources are compared exactly, not as 64-bit integers (with bounds truncated to those) or floats. */
  readonly exactNumbers: boolean;
  /** A `*` in nonResourceURLs of a role is the whole last path segment, never a part of one or in the middle. */
  readonly wildcardIsWholeLastSegment: boolean;
  /** The kinds of resource.k8s.io are served only if the DynamicResourceAllocation gate is on. */
  readonly deviceKindsNeedFeatureGate: boolean;
  /** An address is in `addresses` or in `notReadyAddresses` of an Endpoints subset, not in both. */
  readonly endpointAddressesAreReadyOrNot: boolean;
  /** deletecollection returns a Status, not the list of deleted objects. */
  readonly deleteCollectionReturnsStatus: boolean;
  /** A new version becomes the preferred version one release after it was added beside the old one. */
  readonly newVersionsAreNotPreferred: boolean;
  /** The deprecation notice in a metric's help, and the number of releases after which the metric is hidden. */
  readonly deprecatedMetrics: { notice(since: string): string; readonly hiddenAfter: number };
  /** Prometheus's standard metrics (`process_…`) have a stability level too. */
  readonly everyMetricHasStabilityLevel: boolean;
  /** A CronJob run that misses startingDeadlineSeconds counts as failed and is reported by an event. */
  readonly missedCronJobRunsFail: boolean;
  /**
   * An absent field differs from a zero value: a body has every required field, and defaulting does not replace an
   * explicit 0. This does not apply to Protobuf bodies, which cannot express the difference.
   */
  readonly absentDiffersFromZero: boolean;
  /** Conditions have a type and the status True, False or Unknown, also in kinds for which upstream does not check it. */
  readonly conditionsAreValidated: boolean;
  /** Any FlowSchema may have matchingPrecedence 1, not only `exempt`. */
  readonly anyFlowSchemaMayHavePrecedence1: boolean;
  /** Resources in the rules of a FlowSchema are lowercase plural names. */
  readonly flowSchemaResourcesArePluralNames: boolean;
  /** `data` of a ControllerRevision is required. */
  readonly controllerRevisionsNeedData: boolean;
  /** Length limits of Event fields count characters, not bytes. */
  readonly eventLimitsCountCharacters: boolean;
  /** Each source of a projected volume sets exactly one field, not at most one. */
  readonly projectionsHaveOneSource: boolean;
  /** The default fsType of an iSCSI volume. */
  readonly iscsiFileSystem: string;
  /** Conditions of a StorageVersionMigration need lastUpdateTime and reason. */
  readonly migrationConditionsNeedTimeAndReason: boolean;
  /** `scope` in a rule of an admission policy or its binding may be empty, which means `*`. */
  readonly policyRuleScopesMayBeEmpty: boolean;
  /** Every authenticated user may read ClusterTrustBundles, not only service accounts. */
  readonly trustBundlesArePublic: boolean;
  /** delete returns a Status also if finalizers delay the deletion, except for kinds whose delete returns the object. */
  readonly pendingDeleteReturnsStatus: boolean;
  /** `limit` applies to lists at resourceVersion=0 too. */
  readonly limitAppliesToVersion0: boolean;
  /** CEL expressions of admission may use escaped field names: `object.data.foo__dash__bar`. */
  readonly escapedFieldNames: boolean;
  /** Group versions of earlier releases that --runtime-config accepts although 1.33 does not have them. */
  readonly removedGroupVersions: readonly string[];
}

export interface DialectSigners {
  /** The signer of CertificateSigningRequests without a signer in v1beta1; v1 rejects it. */
  readonly legacyUnknown: string;
  /** Client certificates for this server, client certificates of kubelets, serving certificates of kubelets and of this server. */
  readonly apiServerClient: string;
  readonly apiServerClientKubelet: string;
  readonly kubeletServing: string;
  readonly apiServerServing: string;
}

/** Taints of nodes by their conditions, and of those that are unschedulable. */
interface DialectTaints {
  readonly notReady: string;
  readonly unreachable: string;
  readonly diskPressure: string;
  readonly memoryPressure: string;
  readonly pidPressure: string;
  /** On a cordoned node. */
  readonly unschedulable: string;
  readonly networkUnavailable: string;
  /** Set by an administrator: the node is shut down, and nothing of its pods runs any more. */
  readonly outOfService: string;
}

interface DialectHeaders {
  /** The prefix of the WebSocket subprotocol that contains a bearer token. */
  readonly bearerProtocolPrefix: string;
  readonly flowSchemaUid: string;
  readonly priorityLevelUid: string;
}
