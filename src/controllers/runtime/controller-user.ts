// The user that a controller acts as: its service account, as in kube-controller-manager, or the user of its component.
import type { Dialect } from '../../dialect/dialect.ts';
import { accountGroups, accountUser } from '../../request/service-account-names.ts';
import type { User } from '../../request/user.ts';

/** Without a service account: the user of the component itself, such as `system:kube-scheduler`. */
export function controllerUser(
  dialect: Dialect,
  component: string,
  serviceAccount: string | undefined,
): User {
  const { systemNamespace } = dialect;
  if (serviceAccount === undefined) {
    const name = `system:${dialect.component(component)}`;
    return { name, uid: '', groups: ['system:authenticated'], extra: {} };
  }
  return {
    name: accountUser(systemNamespace, serviceAccount),
    uid: '',
    groups: [...accountGroups(systemNamespace), 'system:authenticated'],
    extra: {},
  };
}
