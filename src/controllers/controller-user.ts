import { accountGroups, accountUser } from '../auth/service-account-names.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { User } from '../http/exchange.ts';

/** Who writes for a controller: the account that it has where controllers run beside the server. What it writes is admitted as theirs. */
export function controllerUser({ systemNamespace }: Dialect, account: string): User {
  return {
    name: accountUser(systemNamespace, account),
    uid: '',
    groups: [...accountGroups(systemNamespace), 'system:authenticated'],
    extra: {},
  };
}
