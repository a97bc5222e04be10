/** Every identifier that names the service. Created once, handed along, never changed. */
export interface Dialect {
  readonly name: 'orch' | 'kubernetes';

  /** The name of a built-in group, from the id that definitions use: 'events' is `events.orch.io`. */
  groupName(id: string): string;
  /** The id of a built-in group, from its name. */
  groupId(name: string): string | undefined;
  /** `v1`, `apps/v1`, `events.orch.io/v1`. */
  apiVersion(groupId: string, version: string): string;

  /** Between `x-` and the rest of a schema extension: `x-orch-list-type`. */
  readonly extensionPrefix: string;
  /** What OpenAPI calls a type, from its name with package: `core/v1.Pod` is `io.orch.api.core.v1.Pod`. */
  schemaName(fullName: string): string;
  /** The title of the OpenAPI documents. */
  readonly title: string;
  readonly protobufMediaType: string;
  /** The bytes every Protobuf object begins with. */
  readonly protobufMagic: string;

  /** Namespaces that are there from the start. */
  readonly systemNamespaces: readonly string[];
  /** Namespaces that cannot be deleted. */
  readonly immortalNamespaces: readonly string[];
  /** Where the control plane keeps its own objects. */
  readonly systemNamespace: string;
  /** Who gives out the addresses of services, as the objects that keep them say. */
  readonly ipAllocatorName: string;
  /** What every authenticated client may read. */
  readonly publicNamespace: string;
  /** Where nodes renew their leases. */
  readonly nodeLeaseNamespace: string;

  /** The Service and Endpoints in `default` that lead to the API server. */
  readonly apiServiceName: string;
  /** `manager` in managedFields of what the server itself writes, and its name in events and leases. */
  readonly serverName: string;
  /** The name of another part of the service: `kube-scheduler`. */
  component(part: string): string;
  /** What flags call this program where they speak of several: `kube:WatchList=true`. */
  readonly componentName: string;
  /** The issuer and audience of tokens inside the cluster. */
  readonly clusterAudience: string;
  /** What a token says of its owner stands under this claim. */
  readonly tokenClaim: string;
  /** The issuer of tokens that are kept in Secrets. */
  readonly legacyTokenIssuer: string;
  /** The ConfigMap that says since when the server has known which tokens are used. */
  readonly legacyTokenTrackingName: string;
  readonly userExtra: DialectUserExtra;
  readonly tokenVolume: DialectTokenVolume;

  readonly labels: DialectLabels;
  readonly annotations: DialectAnnotations;
  readonly finalizers: DialectFinalizers;
  readonly secretTypes: DialectSecretTypes;
  readonly headers: DialectHeaders;
  readonly signers: DialectSigners;
  readonly taints: DialectTaints;
  readonly rules: DialectRules;

  /** Resources (cpu and the like) named under this domain are the service's own, as are those without a domain. */
  readonly resourceDomain: string;
  /** Groups in these domains are the service's own: who adds a kind to one says where that was agreed. */
  readonly protectedDomains: readonly string[];
  /** Said to those who did not, behind the rule. */
  readonly apiApprovalAdvice: string;
  /** The condition that says whether a custom kind in such a group was agreed on. */
  readonly apiApprovalCondition: string;
  /** Domains under which users make no names of their own. */
  readonly reservedDomains: readonly string[];
  /** The group of the kinds of volume snapshots, which are custom ones. */
  readonly snapshotGroup: string;
  /** Labels of nodes that go by another name now: since which release, and which name. */
  readonly outdatedNodeLabels: readonly OutdatedLabel[];

  /** What the names of metrics of the whole system begin with. */
  readonly metricPrefix: string;
}

interface OutdatedLabel {
  readonly label: string;
  readonly since: string;
  readonly instead: string;
}

interface DialectLabels {
  /** On roles and bindings that the server makes itself: `rbac-defaults`. */
  readonly bootstrapping: string;
  /** On a ClusterRole, with the name of the role behind it that gathers its rules: `true`. */
  readonly aggregateToPrefix: string;
  /** On a namespace, with a mode behind it: what is asked of pods in it. The audit log has annotations by it too. */
  readonly podSecurityPrefix: string;
  /** On an APIService that the server makes itself: `onstart`, or `true` where it is always kept. */
  readonly automanaged: string;
  /** On a namespace: claims in it may look at devices that others use. */
  readonly adminAccess: string;
  /** On a node: its own name. */
  readonly hostname: string;
  /** On a node, and on its pods: where it is. */
  readonly topology: readonly string[];
  /** What a node is for stands behind it. */
  readonly nodeRolePrefix: string;
  /** The same, as a value. */
  readonly nodeRole: string;
  /** A namespace's own name, for selecting it. */
  readonly namespaceName: string;
  readonly serviceName: string;
  readonly endpointSliceManagedBy: string;
  /** On the pods of a Job: the Job's name and uid. */
  readonly jobName: string;
  readonly jobUid: string;
  /** Endpoints with it are not copied into EndpointSlices. */
  readonly endpointSliceSkipMirror: string;
  /** On an IPAddress: the family of the address, and who keeps the object. */
  readonly ipAddressFamily: string;
  readonly ipAddressManagedBy: string;
  /** On a Secret with a service account's token: the day of its last use, and since when it is good no more. */
  readonly tokenLastUsed: string;
  readonly tokenInvalidSince: string;
}

interface DialectAnnotations {
  /** Of a job: the time at which its CronJob was to make it. */
  readonly cronJobScheduledAt: string;
  /** On a role or binding that the server makes itself: `false` keeps it from being put right. */
  readonly autoupdate: string;
  /** On the v1 of a HorizontalPodAutoscaler: what only v2 has a field for. */
  readonly autoscalerMetrics: string;
  readonly autoscalerCurrentMetrics: string;
  readonly autoscalerConditions: string;
  readonly autoscalerBehavior: string;
  /** On the storage class that claims get which name none; before, and before that. */
  readonly defaultStorageClass: string;
  readonly betaDefaultStorageClass: string;
  /** On the class that Ingresses get which name none. */
  readonly defaultIngressClass: string;
  /** Deprecated on an Ingress: the name of its class. */
  readonly ingressClass: string;
  /** On a Service: who may reach its load balancer. */
  readonly loadBalancerSourceRanges: string;
  /** On a Service: whether its traffic stays near; the second is the older name. */
  readonly topologyMode: string;
  readonly topologyAwareHints: string;
  /** On the bookmark that ends the initial events of a watch. */
  readonly initialEventsEnd: string;
  /** On the same bookmark: an empty list of the kind, to be filled with the events' objects. */
  readonly initialEventsListBlueprint: string;
  /** On audit events of requests to deprecated versions. */
  readonly deprecated: string;
  readonly removedRelease: string;
  /** On audit events of requests for tokens: which one was given out. */
  readonly issuedCredentialId: string;
  /** On audit events: whether the request was allowed, and why. */
  readonly auditDecision: string;
  readonly auditReason: string;
  /** On audit events whose objects were too large. */
  readonly auditTruncated: string;
  /** On audit events of writes that a policy found fault with. */
  readonly auditValidationFailure: string;
  readonly serviceAccountName: string;
  readonly serviceAccountUid: string;
  /** Where a kind in a protected group was agreed on, or that it was not. */
  readonly apiApproved: string;
  /** What `kubectl apply` last applied. */
  readonly lastAppliedConfiguration: string;
  /** Deprecated on Endpoints: endpoints are to be published before they are ready. */
  readonly tolerateUnreadyEndpoints: string;
  /** Deprecated on volumes and claims: the storage class, and the mount options. */
  readonly storageClass: string;
  readonly mountOptions: string;
  /** On a pod that mirrors one which its node runs by itself. */
  readonly mirrorPod: string;
  /** Deprecated on a ServiceAccount: its pods may use only the secrets that it names. */
  readonly enforceMountableSecrets: string;
  /** What an object is for, in words for people. */
  readonly description: string;
  /** On a pod: which defaults its containers got from the LimitRanges of its namespace. */
  readonly limitRanger: string;
  /** On a schema or level of fairness that the server makes itself: `false` keeps it from being put right. */
  readonly flowControlAutoupdate: string;
  /** Once on pods that were not to be evicted; without effect. */
  readonly criticalPod: string;
  /** Deprecated on pods: tolerations, as JSON. */
  readonly podTolerations: string;
  /** On a pod: how much its deletion costs, when some of several must go. */
  readonly podDeletionCost: string;
  /** Deprecated on pods: the seccomp profile of all containers; with the name of one behind it, of that. */
  readonly podSeccomp: string;
  readonly containerSeccompPrefix: string;
  /** Deprecated on pods, with the name of a container behind it: its AppArmor profile. */
  readonly containerAppArmorPrefix: string;
}

interface DialectFinalizers {
  /** In a Namespace's spec until its content is gone. */
  readonly namespace: string;
  /** In a CustomResourceDefinition that is being deleted, until its objects are gone. */
  readonly customResources: string;
  /** On volumes, claims and VolumeAttributesClasses until nobody uses them. */
  readonly volumeProtection: string;
  readonly claimProtection: string;
  readonly attributesClassProtection: string;
  /** In metadata while dependents are orphaned, or deleted first; the same in every dialect. */
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

/** The volume in which a pod finds a token of its service account. */
interface DialectTokenVolume {
  /** What its name begins with. */
  readonly prefix: string;
  /** Where containers find it. */
  readonly path: string;
  /** The ConfigMap in every namespace with the authorities by which this server is known. */
  readonly authorities: string;
}

/** Keys of what is known of a user beside name and groups. */
interface DialectUserExtra {
  readonly credentialId: string;
  readonly nodeName: string;
  readonly nodeUid: string;
  readonly podName: string;
  readonly podUid: string;
}

/** Where the rules of the service's own specification differ from what the release that it follows checks. */
export interface DialectRules {
  /** Why a validation of an admission policy may refuse. */
  readonly validationReasons: readonly string[];
  /** A validation whose expression has several lines says in a message what is wrong. */
  readonly longExpressionsNeedMessage: boolean;
  /** No two variables of an admission policy have the same name. */
  readonly variablesDiffer: boolean;
  /** What a printer column of a custom kind may hold. */
  readonly columnFormats: readonly string[];
  /** Versions of a custom kind that share a schema may have different selectable fields, and the other way round. */
  readonly versionsSelectForThemselves: boolean;
  /** The name of a custom kind is CamelCase. */
  readonly kindsAreCamelCase: boolean;
  /** Numbers of custom resources are compared exactly; else as 64-bit integers, with bounds cut to those, or as floats. */
  readonly exactNumbers: boolean;
  /** In the paths of a role a * stands as the whole of the last segment, not as a part and not in the middle. */
  readonly starsEndPaths: boolean;
  /** Kinds of devices are served only with the feature that allocates them. */
  readonly devicesNeedFeature: boolean;
  /** An address of a subset of Endpoints is either ready or not. */
  readonly addressesAreReadyOrNot: boolean;
  /** Deleting a collection is answered with a Status, not with a list of what is gone. */
  readonly deletedCollectionIsStatus: boolean;
  /** A new version is not preferred before a release has had it beside the one that was. */
  readonly newVersionsWait: boolean;
  /** What stands in the help of a metric that was deprecated in a release, and how many releases later it is hidden. */
  readonly deprecatedMetrics: { notice(since: string): string; readonly hiddenAfter: number };
  /** Metrics whose names others agreed on (`process_…`) have a stability level too. */
  readonly everyMetricHasLevel: boolean;
  /** A run of a CronJob that missed its deadline counts as failed, and an event says so. */
  readonly missedRunsFail: boolean;
  /**
   * A body tells the empty value from absence: it has every field that is marked as required, and an explicit 0 is not
   * replaced with a default. Asked of bodies in text alone, since Protobuf cannot tell.
   */
  readonly presenceCounts: boolean;
  /** The status of a condition is True, False or Unknown, and it has a type, where the release does not check it. */
  readonly conditionStatusesAreKnown: boolean;
  /** A FlowSchema may have the precedence 1, also where it is not the one named exempt. */
  readonly anyFlowSchemaMayComeFirst: boolean;
  /** A FlowSchema names resources by their plural names, in lower case. */
  readonly flowSchemasNameResources: boolean;
  /** A ControllerRevision has data. */
  readonly revisionsNeedData: boolean;
  /** Words of an Event are measured in characters, not in bytes. */
  readonly eventsCountCharacters: boolean;
  /** Each source of a projected volume has exactly one field, not at most one. */
  readonly projectionsHaveOneSource: boolean;
  /** The file system of an iSCSI volume that names none. */
  readonly iscsiFileSystem: string;
  /** A condition of a StorageVersionMigration has a time and a reason. */
  readonly migrationsTellMore: boolean;
  /** The scope of a rule of an admission policy or of its binding may be empty, which means any. */
  readonly scopesMayBeEmpty: boolean;
  /** Whoever is known may read ClusterTrustBundles, not only service accounts. */
  readonly trustBundlesArePublic: boolean;
  /** Deleting an object is answered with a Status also while finalizers hold it; kinds that answer with the object always do. */
  readonly pendingDeleteIsStatus: boolean;
  /** `limit` cuts a list at resourceVersion=0 into chunks too. */
  readonly limitsAnyVersion: boolean;
  /** Admission expressions may select fields by their escaped names: `object.data.foo__dash__bar`. */
  readonly escapedFields: boolean;
  /** Group versions of earlier releases that --runtime-config still accepts although 1.33 has forgotten their names. */
  readonly forgottenVersions: readonly string[];
}

export interface DialectSigners {
  /** Stood for requests that named no signer. It cannot be asked any more. */
  readonly legacyUnknown: string;
  /** For clients of this server, for kubelets as such clients, and for what kubelets and this server themselves show. */
  readonly apiServerClient: string;
  readonly apiServerClientKubelet: string;
  readonly kubeletServing: string;
  readonly apiServerServing: string;
}

/** Taints that nodes get for the state they are in. */
interface DialectTaints {
  readonly notReady: string;
  readonly unreachable: string;
}

interface DialectHeaders {
  /** What the WebSocket subprotocol that carries a token begins with. */
  readonly bearerProtocolPrefix: string;
  readonly flowSchemaUid: string;
  readonly priorityLevelUid: string;
}
