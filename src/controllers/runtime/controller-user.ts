// The user that a controller acts as: its service account, as in kube-controller-manager.
import type { Dialect } from '../../dialect/dialect.ts';
import { accountGroups, accountUser } from '../../request/service-account-names.ts';
import type { User } from '../../request/user.ts';

/** Without a service account: the user of kube-controller-manager itself. */
export function controllerUser(dialect: Dialect, serviceAccount: string | undefined): User {
  const { systemNamespace } = dialect;
  if (serviceAccount === undefined) {
    const name = `system:${dialect.component('controller-manager')}`;
    return { name, uid: '', groups: ['system:authenticated'], extra: {} };
  }
  return {
    name: accountUser(systemNamespace, serviceAccount),
    uid: '',
    groups: [...accountGroups(systemNamespace), 'system:authenticated'],
    extra: {},
  };
}
