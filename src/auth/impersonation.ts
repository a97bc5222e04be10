import { requestOf } from '../apis/authorization/access-review.ts';
import { userKeyed } from '../codec/json/json-value.ts';
import { anonymous, authenticatedGroup, unauthenticatedGroup } from '../request/authenticator.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { accountGroups, accountOf } from '../request/service-account-names.ts';
import type { User } from '../request/user.ts';

const headerPrefix = 'impersonate-';
const extraPrefix = `${headerPrefix}extra-`;

/** Somebody whom a request wants to be taken for, and the rights that its real sender needs for it, one by one. */
export interface Impersonation {
  readonly user: User;
  readonly needs: readonly RequestInfo[];
}

/** Headers that ask to be somebody without saying whom. */
export class NobodyToImpersonate extends Error {}

/**
 * Whom a request asks to be taken for; undefined for nearly all of them, which ask for nothing. Every request comes by
 * here. `group` is the API group under which the rights to uids and extras go.
 */
export function readImpersonation(rawHeaders: readonly string[], group: string): Impersonation | undefined {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (mayImpersonate(rawHeaders[i]!)) return readAsked(rawHeaders, group);
  }
  return undefined;
}

/** Whether a header may ask for it. */
function mayImpersonate(name: string): boolean {
  // Looking at one letter spares most headers the rest.
  const first = name.charCodeAt(0) | 0x20;
  return first === 0x69 && name.length > 12 && name.slice(0, 12).toLowerCase() === headerPrefix;
}

interface Asked {
  user: string;
  uid: string;
  readonly groups: string[];
  readonly extra: Record<string, string[]>;
}

function readAsked(rawHeaders: readonly string[], group: string): Impersonation | undefined {
  const asked: Asked = { user: '', uid: '', groups: [], extra: userKeyed<string[]>() };
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!mayImpersonate(rawHeaders[i]!)) continue;
    const name = rawHeaders[i]!.toLowerCase();
    // Clients write UTF-8, though headers are read as single bytes.
    const value = Buffer.from(rawHeaders[i + 1]!, 'latin1').toString();
    if (name === 'impersonate-group') asked.groups.push(value);
    else if (name.startsWith(extraPrefix)) {
      const key = unescapeKey(name.slice(extraPrefix.length));
      asked.extra[key] = [...(asked.extra[key] ?? []), value];
    } else if (!seen.has(name)) {
      // Of what there can be only one, the first counts.
      seen.add(name);
      if (name === 'impersonate-user') asked.user = value;
      else if (name === 'impersonate-uid') asked.uid = value;
    }
  }
  if (asked.user !== '') return impersonationOf(asked, group);
  const parts = shownParts(asked, group);
  if (parts.length === 0) return undefined;
  throw new NobodyToImpersonate(`requested [${parts.join(' ')}] without impersonating a user`);
}

function impersonationOf({ user, uid, groups, extra }: Asked, group: string): Impersonation {
  const account = accountOf(user);
  const needs: RequestInfo[] = [
    account
      ? right({ resource: 'serviceaccounts', namespace: account.namespace, name: account.name })
      : right({ resource: 'users', name: user }),
    ...groups.map((name) => right({ resource: 'groups', name })),
  ];
  for (const [key, values] of Object.entries(extra)) {
    for (const name of values) needs.push(right({ group, resource: 'userextras', subresource: key, name }));
  }
  if (uid !== '') needs.push(right({ group, resource: 'uids', name: uid }));
  const given = groups.length === 0 && account ? accountGroups(account.namespace) : groups;
  return { user: { name: user, uid, groups: withStanding(user, given), extra }, needs };
}

interface Right {
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name: string;
}

function right({ group = '', ...rest }: Right): RequestInfo {
  return requestOf({ resourceAttributes: { verb: 'impersonate', version: 'v1', group, ...rest } });
}

/** Adds the group that says whether somebody is known, unless the request says it itself. */
function withStanding(user: string, groups: readonly string[]): readonly string[] {
  if (groups.includes(unauthenticatedGroup)) return groups;
  if (user === anonymous.name) return [...groups, unauthenticatedGroup];
  return groups.includes(authenticatedGroup) ? groups : [...groups, authenticatedGroup];
}

/** What was asked for, as upstream's message has it: objects, most of whose fields are empty. */
function shownParts({ uid, groups, extra }: Asked, group: string): string[] {
  const parts = groups.map((name) => `{Group  ${name}    }`);
  for (const [key, values] of Object.entries(extra)) {
    for (const value of values) parts.push(`{UserExtra  ${value}  ${group}/v1  ${key}}`);
  }
  if (uid !== '') parts.push(`{UID  ${uid}  ${group}/v1  }`);
  return parts;
}

/** A key may hold characters that a header's name cannot: they are escaped as in a URL. */
export function unescapeKey(key: string): string {
  if (!key.includes('%') || /%(?![0-9a-f]{2})/i.test(key)) return key;
  const bytes = key.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
