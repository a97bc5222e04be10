import { LegacyTokenCleaner } from './account-tokens/legacy-token-cleaner.ts';
import { AccountTokens } from './account-tokens/token-controller.ts';
import { PolicyStatusController } from './admission-policy-status/status-controller.ts';
import { CertificateApproving } from './certificates/approving-controller.ts';
import { CertificateCleaner } from './certificates/cleaner-controller.ts';
import { CertificateSigning } from './certificates/signing-controller.ts';
import { CronJobController } from './cronjob/cronjob-controller.ts';
import { DisruptionController } from './disruption/disruption-controller.ts';
import { EphemeralVolumeController } from './ephemeral-volume/ephemeral-volume-controller.ts';
import { GarbageCollector } from './garbage-collection/garbage-collector.ts';
import type { ControllerName } from './names.ts';
import { NamespaceController } from './namespace/namespace-controller.ts';
import { QuotaController } from './resource-quota/quota-controller.ts';
import { RoleAggregation } from './role-aggregation/role-aggregation.ts';
import type { MakeController } from './runtime/controller-set.ts';
import { EachNamespace } from './runtime/each-namespace.ts';
import { defaultAccount, publishedAuthorities } from './runtime/namespace-objects.ts';
import { StorageMigration } from './storage-migration/migration-controller.ts';
import { protectedClaims, protectedVolumes } from './storage-protection/protected-kinds.ts';
import { UseProtection } from './storage-protection/use-protection.ts';

/** How each controller is made. Workload controllers (deployments, jobs, …) would be further lines here. */
export const allControllers: Readonly<Record<ControllerName, MakeController>> = {
  'certificatesigningrequest-approving-controller': (context) => new CertificateApproving(context),
  'certificatesigningrequest-cleaner-controller': (context) => new CertificateCleaner(context),
  'certificatesigningrequest-signing-controller': (context) =>
    context.signer && new CertificateSigning(context, context.signer),
  'clusterrole-aggregation-controller': (context) => new RoleAggregation(context),
  'cronjob-controller': (context) => new CronJobController(context),
  'disruption-controller': (context) => new DisruptionController(context),
  'ephemeral-volume-controller': (context) => new EphemeralVolumeController(context),
  'garbage-collector-controller': (context) => new GarbageCollector(context),
  'legacy-serviceaccount-token-cleaner-controller': (context) => new LegacyTokenCleaner(context),
  'namespace-controller': (context) => new NamespaceController(context),
  'persistentvolume-protection-controller': (context) =>
    new UseProtection(context, protectedVolumes(context.api.dialect)),
  'persistentvolumeclaim-protection-controller': (context) =>
    new UseProtection(context, protectedClaims(context.api.dialect)),
  'resourcequota-controller': (context) => new QuotaController(context),
  'root-ca-certificate-publisher-controller': (context) =>
    context.authority === undefined
      ? undefined
      : new EachNamespace(context, publishedAuthorities(context.api.dialect, context.authority)),
  'serviceaccount-controller': (context) => new EachNamespace(context, defaultAccount),
  'serviceaccount-token-controller': (context) => new AccountTokens(context),
  'storage-version-migrator-controller': (context) =>
    context.features.enabled('StorageVersionMigrator') ? new StorageMigration(context) : undefined,
  'validatingadmissionpolicy-status-controller': (context) => new PolicyStatusController(context),
};
