// Enum values of string types in the OpenAPI schemas.
import type { StringType } from '../../schema/scalars.ts';

/**
 * The string types whose values are published as `enum`. Upstream marks them one by one: many other types have known
 * values that are not published, even in one version of a group and not in the next.
 */
const enumerations: Readonly<Record<string, readonly string[]>> = {
  'admissionregistration/v1': [
    'FailurePolicyType',
    'MatchPolicyType',
    'OperationType',
    'ReinvocationPolicyType',
    'SideEffectClass',
    'ValidationAction',
  ],
  'admissionregistration/v1alpha1': [
    'FailurePolicyType',
    'MatchPolicyType',
    'ParameterNotFoundActionType',
    'PatchType',
    'ReinvocationPolicyType',
  ],
  'admissionregistration/v1beta1': ['ValidationAction'],
  'apiextensions/v1': ['FieldValueErrorReason'],
  'apps/v1': [
    'DaemonSetUpdateStrategyType',
    'DeploymentStrategyType',
    'PodManagementPolicyType',
    'StatefulSetUpdateStrategyType',
  ],
  'batch/v1': [
    'CompletionMode',
    'ConcurrencyPolicy',
    'PodFailurePolicyAction',
    'PodFailurePolicyOnExitCodesOperator',
    'PodReplacementPolicy',
  ],
  'certificates/v1': ['KeyUsage'],
  'core/v1': [
    'AppArmorProfileType',
    'AzureDataDiskCachingMode',
    'AzureDataDiskKind',
    'ClaimResourceStatus',
    'DNSPolicy',
    'HostPathType',
    'IPFamily',
    'IPFamilyPolicy',
    'MountPropagationMode',
    'NamespacePhase',
    'NodeInclusionPolicy',
    'NodePhase',
    'NodeSelectorOperator',
    'PersistentVolumeAccessMode',
    'PersistentVolumeClaimModifyVolumeStatus',
    'PersistentVolumeClaimPhase',
    'PersistentVolumeMode',
    'PersistentVolumePhase',
    'PersistentVolumeReclaimPolicy',
    'PodFSGroupChangePolicy',
    'PodPhase',
    'PodQOSClass',
    'PreemptionPolicy',
    'ProcMountType',
    'Protocol',
    'PullPolicy',
    'ResourceQuotaScope',
    'RestartPolicy',
    'ScopeSelectorOperator',
    'SeccompProfileType',
    'ServiceAffinity',
    'ServiceExternalTrafficPolicy',
    'ServiceInternalTrafficPolicy',
    'ServiceType',
    'Signal',
    'SupplementalGroupsPolicy',
    'TaintEffect',
    'TerminationMessagePolicy',
    'TolerationOperator',
    'URIScheme',
    'UnsatisfiableConstraintAction',
  ],
  'discovery/v1': ['AddressType'],
  'networking/v1': ['PathType', 'PolicyType'],
  'policy/v1': ['UnhealthyPodEvictionPolicyType'],
  'resource/v1alpha3': ['DeviceTaintEffect', 'DeviceTolerationOperator'],
  'resource/v1beta1': ['DeviceTaintEffect', 'DeviceTolerationOperator'],
  'resource/v1beta2': ['DeviceTaintEffect', 'DeviceTolerationOperator'],
  'storage/v1': ['VolumeBindingMode'],
};

/** The values of enums whose type accepts any string. */
const values: Readonly<Record<string, readonly string[]>> = {
  'discovery/v1.AddressType': ['FQDN', 'IPv4', 'IPv6'],
  'networking/v1.PathType': ['Exact', 'ImplementationSpecific', 'Prefix'],
};

/** The published values of this string type, sorted; undefined if there are none. */
export function enumeratedValues({ fullName = '', ...type }: StringType): readonly string[] | undefined {
  const [packageName = '', name = ''] = fullName.split('.');
  if (!enumerations[packageName]?.includes(name)) return undefined;
  return [...(type.values ?? values[fullName] ?? [])].sort();
}
