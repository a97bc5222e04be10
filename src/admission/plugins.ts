import type { Features } from '../kind/features/features.ts';
import type { Api } from '../registry/api.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { AdmissionMetrics } from './admission-metrics.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import type { AdmissionOptions } from './options.ts';
import type { Plugin } from './plugin.ts';
import { CertificateApproval } from './plugins/certificates/certificate-approval.ts';
import { CertificateSigning } from './plugins/certificates/certificate-signing.ts';
import { CertificateSubjectRestriction } from './plugins/certificates/certificate-subject-restriction.ts';
import { ClusterTrustBundleAttest } from './plugins/certificates/cluster-trust-bundle-attest.ts';
import { DefaultIngressClass } from './plugins/default-ingress-class.ts';
import { DefaultStorageClass } from './plugins/default-storage-class.ts';
import { DefaultTolerationSeconds } from './plugins/default-toleration-seconds.ts';
import { LimitRanger } from './plugins/limit-ranger/limit-ranger.ts';
import { AlwaysPullImages } from './plugins/optional/always-pull-images.ts';
import { DenyServiceExternalIPs } from './plugins/optional/deny-service-external-ips.ts';
import { ExtendedResourceToleration } from './plugins/optional/extended-resource-toleration.ts';
import { LimitPodHardAntiAffinityTopology } from './plugins/optional/limit-pod-hard-anti-affinity-topology.ts';
import { PersistentVolumeClaimResize } from './plugins/persistent-volume-claim-resize.ts';
import { PodSecurity } from './plugins/pod-security/pod-security.ts';
import { PodTopologyLabels } from './plugins/pod-topology-labels.ts';
import { Priority } from './plugins/priority.ts';
import type { Ledger } from './plugins/resource-quota/ledger.ts';
import { ResourceQuota } from './plugins/resource-quota/resource-quota.ts';
import { RuntimeClass } from './plugins/runtime-class.ts';
import { ServiceAccount } from './plugins/service-account/service-account.ts';
import { StorageObjectInUseProtection } from './plugins/storage-object-in-use-protection.ts';
import { TaintNodesByCondition } from './plugins/taint-nodes-by-condition.ts';
import { ValidatingAdmissionPolicyPlugin } from './policies/validating-admission-policy.ts';
import { MutatingWebhooks } from './webhooks/mutating-webhooks.ts';
import { ValidatingWebhooks } from './webhooks/validating-webhooks.ts';

/** What plugins are made with. */
export interface PluginParts {
  readonly api: Api;
  readonly features: Features;
  readonly logger: Logger;
  readonly meters: Metrics;
  readonly metrics: AdmissionMetrics;
  /** What is charged to quotas. */
  readonly quotas: Ledger;
  readonly options: AdmissionOptions;
}

interface PluginKind {
  readonly isOnByDefault: boolean;
  /** Not there for one that the verbs ask themselves. */
  make?(parts: PluginParts): Plugin;
}

/** All there are, by name, in the order in which they are asked. */
const table: Readonly<Record<string, PluginKind>> = {
  [namespaceLifecycle]: { isOnByDefault: true },
  LimitPodHardAntiAffinityTopology: {
    isOnByDefault: false,
    make: () => new LimitPodHardAntiAffinityTopology(),
  },
  LimitRanger: { isOnByDefault: true, make: ({ api }) => new LimitRanger(api) },
  ServiceAccount: { isOnByDefault: true, make: ({ api }) => new ServiceAccount(api) },
  TaintNodesByCondition: { isOnByDefault: true, make: () => new TaintNodesByCondition() },
  AlwaysPullImages: { isOnByDefault: false, make: () => new AlwaysPullImages() },
  PodSecurity: { isOnByDefault: true, make: (parts) => new PodSecurity(parts) },
  Priority: { isOnByDefault: true, make: ({ api }) => new Priority(api) },
  DefaultTolerationSeconds: {
    isOnByDefault: true,
    make: ({ options }) => new DefaultTolerationSeconds(options),
  },
  ExtendedResourceToleration: { isOnByDefault: false, make: () => new ExtendedResourceToleration() },
  DefaultStorageClass: { isOnByDefault: true, make: ({ api }) => new DefaultStorageClass(api) },
  StorageObjectInUseProtection: {
    isOnByDefault: true,
    make: ({ features }) => new StorageObjectInUseProtection(features),
  },
  PersistentVolumeClaimResize: {
    isOnByDefault: true,
    make: ({ api }) => new PersistentVolumeClaimResize(api),
  },
  RuntimeClass: { isOnByDefault: true, make: ({ api }) => new RuntimeClass(api) },
  CertificateApproval: { isOnByDefault: true, make: () => new CertificateApproval() },
  CertificateSigning: { isOnByDefault: true, make: () => new CertificateSigning() },
  ClusterTrustBundleAttest: { isOnByDefault: true, make: () => new ClusterTrustBundleAttest() },
  CertificateSubjectRestriction: { isOnByDefault: true, make: () => new CertificateSubjectRestriction() },
  DefaultIngressClass: { isOnByDefault: true, make: ({ api }) => new DefaultIngressClass(api) },
  PodTopologyLabels: { isOnByDefault: true, make: ({ features }) => new PodTopologyLabels(features) },
  DenyServiceExternalIPs: { isOnByDefault: false, make: () => new DenyServiceExternalIPs() },
  MutatingAdmissionWebhook: { isOnByDefault: true, make: (parts) => new MutatingWebhooks(parts) },
  ValidatingAdmissionPolicy: {
    isOnByDefault: true,
    make: (parts) => new ValidatingAdmissionPolicyPlugin(parts),
  },
  ValidatingAdmissionWebhook: { isOnByDefault: true, make: (parts) => new ValidatingWebhooks(parts) },
  // What is charged is to be written: nobody else refuses it after this.
  ResourceQuota: { isOnByDefault: true, make: ({ api, quotas }) => new ResourceQuota(api, quotas) },
};

export const pluginNames: readonly string[] = Object.keys(table);

/** Which plugins are wanted beyond those that are on by default, and which of these are not. */
export interface PluginChoice {
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
}

/** Whether a plugin has a say in writes. */
export function isOn(name: string, choice: PluginChoice): boolean {
  if (choice.enableAdmissionPlugins.includes(name)) return true;
  return table[name]!.isOnByDefault && !choice.disableAdmissionPlugins.includes(name);
}

export function makePlugins(parts: PluginParts): Plugin[] {
  return Object.entries(table).flatMap(([name, { make }]) =>
    make && isOn(name, parts.options) ? [make(parts)] : [],
  );
}
