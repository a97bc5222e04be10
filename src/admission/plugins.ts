// Admission: the list of admission plugins, in the order in which they run, with the names of kube-apiserver.
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import type { AdmissionOptions } from './options.ts';
import type { AnyThreadDependencies, Plugin, PluginDependencies, Plugins } from './plugin.ts';
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
import { ResourceQuota } from './plugins/resource-quota/resource-quota.ts';
import { RuntimeClass } from './plugins/runtime-class.ts';
import { ServiceAccount } from './plugins/service-account/service-account.ts';
import { StorageObjectInUseProtection } from './plugins/storage-object-in-use-protection.ts';
import { TaintNodesByCondition } from './plugins/taint-nodes-by-condition.ts';
import { ValidatingAdmissionPolicyPlugin } from './policies/validating-admission-policy.ts';
import { MutatingWebhooks } from './webhooks/mutating-webhooks.ts';
import { ValidatingWebhooks } from './webhooks/validating-webhooks.ts';

interface PluginRegistration<Dependencies> {
  readonly isEnabledByDefault: boolean;
  /** Absent for NamespaceLifecycle, which the verbs call directly. */
  create?(dependencies: Dependencies): Plugin;
}

type Registrations<Dependencies> = Readonly<Record<string, PluginRegistration<Dependencies>>>;

/** The plugins that worker threads can run, too. */
const anyThread: Registrations<AnyThreadDependencies> = {
  [namespaceLifecycle]: { isEnabledByDefault: true },
  LimitPodHardAntiAffinityTopology: {
    isEnabledByDefault: false,
    create: () => new LimitPodHardAntiAffinityTopology(),
  },
  LimitRanger: { isEnabledByDefault: true, create: ({ api }) => new LimitRanger(api) },
  ServiceAccount: { isEnabledByDefault: true, create: ({ api }) => new ServiceAccount(api) },
  TaintNodesByCondition: { isEnabledByDefault: true, create: () => new TaintNodesByCondition() },
  AlwaysPullImages: { isEnabledByDefault: false, create: () => new AlwaysPullImages() },
  PodSecurity: { isEnabledByDefault: true, create: (dependencies) => new PodSecurity(dependencies) },
  Priority: { isEnabledByDefault: true, create: ({ api }) => new Priority(api) },
  DefaultTolerationSeconds: {
    isEnabledByDefault: true,
    create: ({ options }) => new DefaultTolerationSeconds(options),
  },
  ExtendedResourceToleration: { isEnabledByDefault: false, create: () => new ExtendedResourceToleration() },
  DefaultStorageClass: { isEnabledByDefault: true, create: ({ api }) => new DefaultStorageClass(api) },
  StorageObjectInUseProtection: {
    isEnabledByDefault: true,
    create: ({ features }) => new StorageObjectInUseProtection(features),
  },
  PersistentVolumeClaimResize: {
    isEnabledByDefault: true,
    create: ({ api }) => new PersistentVolumeClaimResize(api),
  },
  RuntimeClass: { isEnabledByDefault: true, create: ({ api }) => new RuntimeClass(api) },
  CertificateApproval: { isEnabledByDefault: true, create: () => new CertificateApproval() },
  CertificateSigning: { isEnabledByDefault: true, create: () => new CertificateSigning() },
  ClusterTrustBundleAttest: { isEnabledByDefault: true, create: () => new ClusterTrustBundleAttest() },
  CertificateSubjectRestriction: {
    isEnabledByDefault: true,
    create: () => new CertificateSubjectRestriction(),
  },
  DefaultIngressClass: { isEnabledByDefault: true, create: ({ api }) => new DefaultIngressClass(api) },
  PodTopologyLabels: { isEnabledByDefault: true, create: ({ features }) => new PodTopologyLabels(features) },
  DenyServiceExternalIPs: { isEnabledByDefault: false, create: () => new DenyServiceExternalIPs() },
};

/** The plugins that only the serving thread can run. They run after the others. */
const servingThread: Registrations<PluginDependencies> = {
  MutatingAdmissionWebhook: {
    isEnabledByDefault: true,
    create: (dependencies) => new MutatingWebhooks(dependencies),
  },
  ValidatingAdmissionPolicy: {
    isEnabledByDefault: true,
    create: (dependencies) => new ValidatingAdmissionPolicyPlugin(dependencies),
  },
  ValidatingAdmissionWebhook: {
    isEnabledByDefault: true,
    create: (dependencies) => new ValidatingWebhooks(dependencies),
  },
  // Last, because it charges quotas: no later plugin can reject the request.
  ResourceQuota: {
    isEnabledByDefault: true,
    create: ({ api, quotaLedger }) => new ResourceQuota(api, quotaLedger),
  },
};

const registrations: Registrations<PluginDependencies> = { ...anyThread, ...servingThread };

export const pluginNames: readonly string[] = Object.keys(registrations);

type PluginSelection = Pick<AdmissionOptions, 'enableAdmissionPlugins' | 'disableAdmissionPlugins'>;

export function isPluginEnabled(name: string, options: PluginSelection): boolean {
  if (options.enableAdmissionPlugins.includes(name)) return true;
  return registrations[name]!.isEnabledByDefault && !options.disableAdmissionPlugins.includes(name);
}

export function createPlugins(dependencies: PluginDependencies): Plugins {
  return {
    anyThread: createAnyThreadPlugins(dependencies),
    servingThread: createEnabled(servingThread, dependencies),
  };
}

/** The plugins that a worker thread can run. */
export const createAnyThreadPlugins = (dependencies: AnyThreadDependencies): Plugin[] =>
  createEnabled(anyThread, dependencies);

function createEnabled<Dependencies extends AnyThreadDependencies>(
  registered: Registrations<Dependencies>,
  dependencies: Dependencies,
): Plugin[] {
  return Object.entries(registered).flatMap(([name, { create }]) =>
    create && isPluginEnabled(name, dependencies.options) ? [create(dependencies)] : [],
  );
}
