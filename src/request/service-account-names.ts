// User name and groups of a service account.
import { dnsLabel, dnsSubdomain } from '../schema/names.ts';

const prefix = 'system:serviceaccount:';

/** Names the user that a service account is: `system:serviceaccount:default:builder`. */
export const accountUser = (namespace: string, name: string) => `${prefix}${namespace}:${name}`;

/** The groups that every service account of a namespace is in. */
export const accountGroups = (namespace: string) => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
];

/** The service account that a user is; undefined for every other user. */
export function accountOf(user: string): { readonly namespace: string; readonly name: string } | undefined {
  if (!user.startsWith(prefix)) return undefined;
  const [namespace = '', name = '', ...more] = user.slice(prefix.length).split(':');
  const isOne = more.length === 0 && dnsLabel(namespace).length === 0 && dnsSubdomain(name).length === 0;
  return isOne ? { namespace, name } : undefined;
}
