// Feature gates of kube-apiserver 1.33: their stages and defaults by release (upstream: VersionedSpecs).

import { apiRelease, minorReleasesBetween } from '../../base/release.ts';

/** Maturity of a feature. */
export type GateStage = 'alpha' | 'beta' | 'stable' | 'deprecated';

/** The stage, default and lock of a gate from one release on (upstream: FeatureSpec). */
export interface GateState {
  readonly stage: GateStage;
  readonly default: boolean;
  /** The gate cannot be set to anything but its default (upstream: LockToDefault). */
  readonly locked: boolean;
  /** The release that introduced this state. */
  readonly since: string;
}

/** The states of a gate, oldest release first. */
export type Gate = readonly [GateState, ...GateState[]];

type StateOverrides = Partial<Pick<GateState, 'default' | 'locked'>>;

const state =
  (stage: GateStage, enabledByDefault: boolean, locked: boolean) =>
  (since: string, overrides: StateOverrides = {}): GateState => ({
    stage,
    default: enabledByDefault,
    locked,
    since,
    ...overrides,
  });

const alpha = state('alpha', false, false);
const beta = state('beta', true, false);
const stable = state('stable', true, true);
const deprecated = state('deprecated', false, false);
const off = { default: false };
const on = { default: true };
const locked = { locked: true };
const unlocked = { locked: false };

/** Release of gates without a version history: AllAlpha, AllBeta and the gates of client-go. */
const unversioned = '1.0';

/** Every gate that kube-apiserver 1.33 accepts. Many have no effect here; --feature-gates accepts them for compatibility. */
export const gateTable = {
  APIResponseCompression: [alpha('1.8'), beta('1.16')],
  APIServerIdentity: [alpha('1.20'), beta('1.26')],
  APIServerTracing: [alpha('1.22'), beta('1.27')],
  APIServingWithRoutine: [alpha('1.30')],
  AggregatedDiscoveryRemoveBetaType: [stable('1.0', { ...off, ...unlocked }), deprecated('1.33', on)],
  AllAlpha: [alpha(unversioned)],
  AllBeta: [beta(unversioned, off)],
  AllowDNSOnlyNodeCSR: [stable('1.0', unlocked), deprecated('1.31')],
  AllowInsecureKubeletCertificateSigningRequests: [stable('1.0', unlocked), deprecated('1.31')],
  AllowOverwriteTerminationGracePeriodSeconds: [stable('1.0', unlocked), deprecated('1.32')],
  AllowParsingUserUIDFromCertAuth: [beta('1.33')],
  AllowServiceLBStatusOnNonLB: [stable('1.0', unlocked), deprecated('1.29'), deprecated('1.32', locked)],
  AllowUnsafeMalformedObjectDeletion: [alpha('1.32')],
  AnonymousAuthConfigurableEndpoints: [alpha('1.31'), beta('1.32')],
  AnyVolumeDataSource: [alpha('1.18'), beta('1.24'), stable('1.33')],
  AuthorizeNodeWithSelectors: [alpha('1.31'), beta('1.32')],
  AuthorizeWithSelectors: [alpha('1.31'), beta('1.32')],
  BtreeWatchCache: [beta('1.32'), stable('1.33')],
  CBORServingAndStorage: [alpha('1.32')],
  CPUManagerPolicyAlphaOptions: [alpha('1.23')],
  CPUManagerPolicyBetaOptions: [beta('1.23')],
  CPUManagerPolicyOptions: [alpha('1.22'), beta('1.23'), stable('1.33')],
  CRDValidationRatcheting: [alpha('1.28'), beta('1.30'), stable('1.33')],
  CSIMigrationPortworx: [alpha('1.23'), beta('1.25', off), beta('1.31'), stable('1.33')],
  CSIVolumeHealth: [alpha('1.21')],
  ClientsAllowCBOR: [alpha(unversioned)],
  ClientsPreferCBOR: [alpha(unversioned)],
  CloudControllerManagerWebhook: [alpha('1.27')],
  ClusterTrustBundle: [alpha('1.27'), beta('1.33', off)],
  ClusterTrustBundleProjection: [alpha('1.29'), beta('1.33', off)],
  ComponentFlagz: [alpha('1.32')],
  ComponentSLIs: [alpha('1.26'), beta('1.27'), stable('1.32')],
  ComponentStatusz: [alpha('1.32')],
  ConcurrentWatchObjectDecode: [beta('1.31', off)],
  ConsistentListFromCache: [alpha('1.28'), beta('1.31')],
  ContainerCheckpoint: [alpha('1.25'), beta('1.30')],
  ContainerStopSignals: [alpha('1.33')],
  ContextualLogging: [alpha('1.24'), beta('1.30')],
  CoordinatedLeaderElection: [alpha('1.31'), beta('1.33', off)],
  CronJobsScheduledAnnotation: [beta('1.28'), stable('1.32')],
  CrossNamespaceVolumeDataSource: [alpha('1.26')],
  CustomCPUCFSQuotaPeriod: [alpha('1.12')],
  CustomResourceFieldSelectors: [alpha('1.30'), beta('1.31'), stable('1.32')],
  DRAAdminAccess: [alpha('1.32')],
  DRADeviceTaints: [alpha('1.33')],
  DRAPartitionableDevices: [alpha('1.33')],
  DRAPrioritizedList: [alpha('1.33')],
  DRAResourceClaimDeviceStatus: [alpha('1.32'), beta('1.33')],
  DeclarativeValidation: [beta('1.33')],
  DeclarativeValidationTakeover: [beta('1.33', off)],
  DeploymentReplicaSetTerminatingReplicas: [alpha('1.33')],
  DevicePluginCDIDevices: [alpha('1.28'), beta('1.29'), stable('1.31')],
  DisableAllocatorDualWrite: [alpha('1.31'), beta('1.33', off)],
  DisableCPUQuotaWithExclusiveCPUs: [beta('1.33')],
  DisableNodeKubeProxyVersion: [alpha('1.29'), deprecated('1.31'), deprecated('1.33', on)],
  DynamicResourceAllocation: [alpha('1.26'), beta('1.32', off)],
  ElasticIndexedJob: [beta('1.27'), stable('1.31')],
  EventedPLEG: [alpha('1.26')],
  ExecProbeTimeout: [stable('1.20', unlocked)],
  ExternalServiceAccountTokenSigner: [alpha('1.32')],
  GitRepoVolumeDriver: [stable('1.0', unlocked), deprecated('1.33')],
  GracefulNodeShutdown: [alpha('1.20'), beta('1.21')],
  GracefulNodeShutdownBasedOnPodPriority: [alpha('1.23'), beta('1.24')],
  HPAConfigurableTolerance: [alpha('1.33')],
  HPAScaleToZero: [alpha('1.16')],
  HonorPVReclaimPolicy: [alpha('1.23'), beta('1.31'), stable('1.33')],
  ImageMaximumGCAge: [alpha('1.29'), beta('1.30')],
  ImageVolume: [alpha('1.31'), beta('1.33', off)],
  InOrderInformers: [beta(unversioned)],
  InPlacePodVerticalScaling: [alpha('1.27'), beta('1.33')],
  InPlacePodVerticalScalingAllocatedStatus: [alpha('1.32'), deprecated('1.33')],
  InPlacePodVerticalScalingExclusiveCPUs: [alpha('1.32')],
  InTreePluginPortworxUnregister: [alpha('1.23')],
  InformerResourceVersion: [alpha(unversioned)],
  JobBackoffLimitPerIndex: [alpha('1.28'), beta('1.29'), stable('1.33')],
  JobManagedBy: [alpha('1.30'), beta('1.32')],
  JobPodReplacementPolicy: [alpha('1.28'), beta('1.29')],
  JobSuccessPolicy: [alpha('1.30'), beta('1.31'), stable('1.33')],
  KMSv1: [stable('1.0', unlocked), deprecated('1.28', on), deprecated('1.29')],
  KubeletCgroupDriverFromCRI: [alpha('1.28'), beta('1.31')],
  KubeletCrashLoopBackOffMax: [alpha('1.32')],
  KubeletEnsureSecretPulledImages: [alpha('1.33')],
  KubeletFineGrainedAuthz: [alpha('1.32'), beta('1.33')],
  KubeletInUserNamespace: [alpha('1.22')],
  KubeletPSI: [alpha('1.33')],
  KubeletPodResourcesDynamicResources: [alpha('1.27')],
  KubeletPodResourcesGet: [alpha('1.27')],
  KubeletRegistrationGetOnExistsOnly: [stable('1.0', unlocked), deprecated('1.32')],
  KubeletSeparateDiskGC: [alpha('1.29'), beta('1.31')],
  KubeletServiceAccountTokenForCredentialProviders: [alpha('1.33')],
  KubeletTracing: [alpha('1.25'), beta('1.27')],
  LegacySidecarContainers: [stable('1.0', unlocked), deprecated('1.33')],
  ListFromCacheSnapshot: [alpha('1.33')],
  LoadBalancerIPMode: [alpha('1.29'), beta('1.30'), stable('1.32')],
  LocalStorageCapacityIsolationFSQuotaMonitoring: [alpha('1.15'), beta('1.31', off)],
  LogarithmicScaleDown: [alpha('1.21'), beta('1.22'), stable('1.31')],
  LoggingAlphaOptions: [alpha('1.24')],
  LoggingBetaOptions: [beta('1.24')],
  MatchLabelKeysInPodAffinity: [alpha('1.29'), beta('1.31'), stable('1.33')],
  MatchLabelKeysInPodTopologySpread: [alpha('1.25'), beta('1.27')],
  MaxUnavailableStatefulSet: [alpha('1.24')],
  MemoryManager: [alpha('1.21'), beta('1.22'), stable('1.32')],
  MemoryQoS: [alpha('1.22')],
  MultiCIDRServiceAllocator: [alpha('1.27'), beta('1.31', off), stable('1.33', unlocked)],
  MutableCSINodeAllocatableCount: [alpha('1.33')],
  MutatingAdmissionPolicy: [alpha('1.32')],
  NFTablesProxyMode: [alpha('1.29'), beta('1.31'), stable('1.33')],
  NodeInclusionPolicyInPodTopologySpread: [alpha('1.25'), beta('1.26'), stable('1.33')],
  NodeLogQuery: [alpha('1.27'), beta('1.30', off)],
  NodeSwap: [alpha('1.22'), beta('1.28', off), beta('1.30')],
  OpenAPIEnums: [alpha('1.23'), beta('1.24')],
  OrderedNamespaceDeletion: [beta('1.30', off), beta('1.33')],
  PodAndContainerStatsFromCRI: [alpha('1.23')],
  PodDeletionCost: [alpha('1.21'), beta('1.22')],
  PodDisruptionConditions: [alpha('1.25'), beta('1.26'), stable('1.31')],
  PodIndexLabel: [beta('1.28'), stable('1.32')],
  PodLevelResources: [alpha('1.32')],
  PodLifecycleSleepAction: [alpha('1.29'), beta('1.30')],
  PodLifecycleSleepActionAllowZero: [alpha('1.32'), beta('1.33')],
  PodLogsQuerySplitStreams: [alpha('1.32')],
  PodObservedGenerationTracking: [alpha('1.33')],
  PodReadyToStartContainersCondition: [alpha('1.28'), beta('1.29')],
  PodSchedulingReadiness: [alpha('1.26'), beta('1.27'), stable('1.30')],
  PodTopologyLabelsAdmission: [alpha('1.33')],
  PortForwardWebsockets: [alpha('1.30'), beta('1.31')],
  PreferSameTrafficDistribution: [alpha('1.33')],
  ProcMountType: [alpha('1.12'), beta('1.31', off), beta('1.33')],
  QOSReserved: [alpha('1.11')],
  RecoverVolumeExpansionFailure: [alpha('1.23'), beta('1.32')],
  RecursiveReadOnlyMounts: [alpha('1.30'), beta('1.31'), stable('1.33')],
  ReduceDefaultCrashLoopBackOffDecay: [alpha('1.33')],
  RelaxedDNSSearchValidation: [alpha('1.32'), beta('1.33')],
  RelaxedEnvironmentVariableValidation: [alpha('1.30'), beta('1.32')],
  ReloadKubeletServerCertificateFile: [beta('1.31')],
  RemoteRequestHeaderUID: [alpha('1.32'), beta('1.33')],
  ResilientWatchCacheInitialization: [beta('1.31')],
  ResourceHealthStatus: [alpha('1.31')],
  RetryGenerateName: [alpha('1.30'), beta('1.31'), stable('1.32')],
  RotateKubeletServerCertificate: [alpha('1.7'), beta('1.12')],
  RuntimeClassInImageCriApi: [alpha('1.29')],
  SELinuxChangePolicy: [alpha('1.32'), beta('1.33')],
  SELinuxMount: [alpha('1.30'), beta('1.33', off)],
  SELinuxMountReadWriteOncePod: [alpha('1.25'), beta('1.27', off), beta('1.28')],
  SchedulerAsyncPreemption: [alpha('1.32'), beta('1.33')],
  SchedulerPopFromBackoffQ: [beta('1.33')],
  SchedulerQueueingHints: [beta('1.28', off), beta('1.32')],
  SeparateCacheWatchRPC: [beta('1.28'), deprecated('1.33')],
  SeparateTaintEvictionController: [beta('1.29')],
  ServiceAccountNodeAudienceRestriction: [beta('1.32', off), beta('1.33')],
  ServiceAccountTokenJTI: [alpha('1.29'), beta('1.30'), stable('1.32')],
  ServiceAccountTokenNodeBinding: [alpha('1.29'), beta('1.31'), stable('1.33')],
  ServiceAccountTokenNodeBindingValidation: [alpha('1.29'), beta('1.30'), stable('1.32')],
  ServiceAccountTokenPodNodeInfo: [alpha('1.29'), beta('1.30'), stable('1.32')],
  ServiceTrafficDistribution: [alpha('1.30'), beta('1.31'), stable('1.33')],
  SidecarContainers: [alpha('1.28'), beta('1.29'), stable('1.33')],
  SizeMemoryBackedVolumes: [alpha('1.20'), beta('1.22'), stable('1.32')],
  StatefulSetAutoDeletePVC: [alpha('1.23'), beta('1.27'), stable('1.32')],
  StatefulSetStartOrdinal: [alpha('1.26'), beta('1.27'), stable('1.31')],
  StorageCapacityScoring: [alpha('1.33')],
  StorageNamespaceIndex: [beta('1.30'), deprecated('1.33', on)],
  StorageVersionAPI: [alpha('1.20')],
  StorageVersionHash: [alpha('1.14'), beta('1.15')],
  StorageVersionMigrator: [alpha('1.30')],
  StreamingCollectionEncodingToJSON: [beta('1.33')],
  StreamingCollectionEncodingToProtobuf: [beta('1.33')],
  StrictCostEnforcementForVAP: [beta('1.30', off), stable('1.32')],
  StrictCostEnforcementForWebhooks: [beta('1.30', off), stable('1.32')],
  StrictIPCIDRValidation: [alpha('1.33')],
  StructuredAuthenticationConfiguration: [alpha('1.29'), beta('1.30')],
  StructuredAuthorizationConfiguration: [alpha('1.29'), beta('1.30'), stable('1.32')],
  SupplementalGroupsPolicy: [alpha('1.31'), beta('1.33')],
  SystemdWatchdog: [beta('1.32')],
  TopologyAwareHints: [alpha('1.21'), beta('1.23', off), beta('1.24'), stable('1.33')],
  TopologyManagerPolicyAlphaOptions: [alpha('1.26')],
  TopologyManagerPolicyBetaOptions: [beta('1.26', off), beta('1.28')],
  TopologyManagerPolicyOptions: [alpha('1.26'), beta('1.28'), stable('1.32', unlocked)],
  TranslateStreamCloseWebsocketRequests: [alpha('1.29'), beta('1.30')],
  UnauthenticatedHTTP2DOSMitigation: [beta('1.25', off), beta('1.29')],
  UnknownVersionInteroperabilityProxy: [alpha('1.28')],
  UserNamespacesPodSecurityStandards: [alpha('1.29')],
  UserNamespacesSupport: [alpha('1.25'), beta('1.30', off), beta('1.33')],
  VolumeAttributesClass: [alpha('1.29'), beta('1.31', off)],
  WatchCacheInitializationPostStartHook: [beta('1.31', off)],
  WatchFromStorageWithoutResourceVersion: [beta('1.27', off), deprecated('1.33', locked)],
  WatchList: [alpha('1.27'), beta('1.32'), beta('1.33', off)],
  WatchListClient: [beta(unversioned, off)],
  WinDSR: [alpha('1.14'), beta('1.33')],
  WinOverlay: [alpha('1.14'), beta('1.20')],
  WindowsCPUAndMemoryAffinity: [alpha('1.32')],
  WindowsGracefulNodeShutdown: [alpha('1.32')],
  WindowsHostNetwork: [alpha('1.26'), deprecated('1.33')],
} as const satisfies Record<string, Gate>;

export type GateName = keyof typeof gateTable;

/** Returns the state of a gate in a release; undefined if the release precedes the gate. */
export function gateStateAt(gate: Gate, release: string = apiRelease): GateState | undefined {
  return gate.findLast(({ since }) => minorReleasesBetween(since, release) >= 0);
}
