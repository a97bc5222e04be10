// User name and groups of a service account.
import { dnsLabel, dnsSubdomain } from '../schema/names.ts';

const prefix = 'system:serviceaccount:';

/** The user name of a service account: `system:serviceaccount:default:builder`. */
export const accountUser = (namespace: string, name: string) => `${prefix}${namespace}:${name}`;

/** The groups of every service account in a namespace. */
export const accountGroups = (namespace: string) => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
];

/** The service account of a user name; undefined for other users. */
export function accountOf(user: string): { readonly namespace: string; readonly name: string } | undefined {
  if (!user.startsWith(prefix)) return undefined;
  const [namespace = '', name = '', ...surplusParts] = user.slice(prefix.length).split(':');
  const isValid =
    surplusParts.length === 0 && dnsLabel(namespace).length === 0 && dnsSubdomain(name).length === 0;
  return isValid ? { namespace, name } : undefined;
}
