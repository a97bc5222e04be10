import type { Dialect } from '../../dialect/dialect.ts';
import { accountGroups, accountUser } from '../../request/service-account-names.ts';
import type { User } from '../../request/user.ts';
import type { ControllerName } from '../names.ts';

/** The accounts that controllers have where they run beside the server; the one that makes tokens for accounts has none. */
const accounts: Readonly<Record<ControllerName, string | undefined>> = {
  'certificatesigningrequest-approving-controller': 'certificate-controller',
  'certificatesigningrequest-cleaner-controller': 'certificate-controller',
  'certificatesigningrequest-signing-controller': 'certificate-controller',
  'clusterrole-aggregation-controller': 'clusterrole-aggregation-controller',
  'cronjob-controller': 'cronjob-controller',
  'disruption-controller': 'disruption-controller',
  'ephemeral-volume-controller': 'ephemeral-volume-controller',
  'garbage-collector-controller': 'generic-garbage-collector',
  'legacy-serviceaccount-token-cleaner-controller': 'legacy-service-account-token-cleaner',
  'namespace-controller': 'namespace-controller',
  'persistentvolume-protection-controller': 'pv-protection-controller',
  'persistentvolumeclaim-protection-controller': 'pvc-protection-controller',
  'resourcequota-controller': 'resourcequota-controller',
  'root-ca-certificate-publisher-controller': 'root-ca-cert-publisher',
  'serviceaccount-controller': 'service-account-controller',
  'serviceaccount-token-controller': undefined,
  'storage-version-migrator-controller': 'storage-version-migrator-controller',
  'validatingadmissionpolicy-status-controller': 'validatingadmissionpolicy-status-controller',
};

/** Who writes for a controller. What it writes is admitted as theirs. */
export function controllerUser(dialect: Dialect, controller: ControllerName): User {
  const { systemNamespace } = dialect;
  const account = accounts[controller];
  if (account === undefined) {
    const name = `system:${dialect.component('controller-manager')}`;
    return { name, uid: '', groups: ['system:authenticated'], extra: {} };
  }
  return {
    name: accountUser(systemNamespace, account),
    uid: '',
    groups: [...accountGroups(systemNamespace), 'system:authenticated'],
    extra: {},
  };
}
