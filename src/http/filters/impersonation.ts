// Impersonation filter: replaces the authenticated user by the one that the Impersonate-* headers name, if the caller may.
import { toRequestInfo } from '../../apis/authorization/review-attributes.ts';
import { nullPrototypeObject } from '../../codec/json/json-value.ts';
import { anonymous, authenticatedGroup, unauthenticatedGroup } from '../../request/authenticator.ts';
import { unescapeExtraKey } from '../../request/identity-headers.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import { accountGroups, accountOf } from '../../request/service-account-names.ts';
import type { User } from '../../request/user.ts';
import type { HttpExchange } from '../../transport/exchange.ts';
import { sendText } from '../../transport/response.ts';
import { type Authorization, sendForbidden } from './authorization.ts';

export const impersonationPrefix = 'impersonate-';
const extraPrefix = `${impersonationPrefix}extra-`;

/** The impersonated user, and the requests with verb `impersonate` that the caller must be authorized for. */
export interface ImpersonationRequest {
  readonly user: User;
  readonly requiredPermissions: readonly RequestInfo[];
}

/** The request has impersonation headers, but no Impersonate-User. The response is 500. */
export class MissingImpersonatedUser extends Error {}

/** Makes the impersonated user the user of the exchange. Resolves to false after a rejection has been sent. */
export async function impersonate(
  exchange: HttpExchange,
  authorization: Authorization,
  authenticationGroup: string,
): Promise<boolean> {
  let requested: ImpersonationRequest | undefined;
  try {
    requested = readImpersonation(exchange.request.rawHeaders, authenticationGroup);
  } catch (error) {
    if (!(error instanceof MissingImpersonatedUser)) throw error;
    const target = JSON.stringify(exchange.request.url);
    sendText(exchange, 500, `Internal Server Error: ${target}: ${error.message}\n`);
    return false;
  }
  return requested === undefined || authorizeImpersonation(exchange, requested, authorization);
}

async function authorizeImpersonation(
  exchange: HttpExchange,
  { user, requiredPermissions }: ImpersonationRequest,
  authorization: Authorization,
): Promise<boolean> {
  const caller = exchange.user;
  for (const permission of requiredPermissions) {
    const { allowed, reason } = await authorization.authorize(caller, permission);
    if (!allowed) {
      sendForbidden(exchange, caller, permission, reason);
      return false;
    }
  }
  exchange.impersonator = caller;
  exchange.user = user;
  return true;
}

interface ImpersonationHeaders {
  user: string;
  uid: string;
  readonly groups: string[];
  readonly extra: Record<string, string[]>;
}

/**
 * Reads the impersonation headers; undefined if they name nobody. `authenticationGroup` is the API group of the permissions
 * for uids and extra fields.
 */
export function readImpersonation(
  rawHeaders: readonly string[],
  authenticationGroup: string,
): ImpersonationRequest | undefined {
  const headers: ImpersonationHeaders = {
    user: '',
    uid: '',
    groups: [],
    extra: nullPrototypeObject<string[]>(),
  };
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    if (!name.startsWith(impersonationPrefix)) continue;
    // Clients send UTF-8; Node decodes headers as latin1.
    const value = Buffer.from(rawHeaders[i + 1]!, 'latin1').toString();
    if (name === 'impersonate-group') headers.groups.push(value);
    else if (name.startsWith(extraPrefix)) {
      const key = unescapeExtraKey(name.slice(extraPrefix.length));
      headers.extra[key] = [...(headers.extra[key] ?? []), value];
    } else if (!seen.has(name)) {
      // The first value of a repeated header counts.
      seen.add(name);
      if (name === 'impersonate-user') headers.user = value;
      else if (name === 'impersonate-uid') headers.uid = value;
    }
  }
  if (headers.user !== '') return toImpersonationRequest(headers, authenticationGroup);
  const references = objectReferences(headers, authenticationGroup);
  if (references.length === 0) return undefined;
  throw new MissingImpersonatedUser(`requested [${references.join(' ')}] without impersonating a user`);
}

function toImpersonationRequest(
  { user, uid, groups, extra }: ImpersonationHeaders,
  authenticationGroup: string,
): ImpersonationRequest {
  const account = accountOf(user);
  const requiredPermissions: RequestInfo[] = [
    account
      ? permissionToImpersonate({
          resource: 'serviceaccounts',
          namespace: account.namespace,
          name: account.name,
        })
      : permissionToImpersonate({ resource: 'users', name: user }),
    ...groups.map((name) => permissionToImpersonate({ resource: 'groups', name })),
  ];
  for (const [key, values] of Object.entries(extra)) {
    for (const name of values)
      requiredPermissions.push(
        permissionToImpersonate({
          group: authenticationGroup,
          resource: 'userextras',
          subresource: key,
          name,
        }),
      );
  }
  if (uid !== '')
    requiredPermissions.push(
      permissionToImpersonate({ group: authenticationGroup, resource: 'uids', name: uid }),
    );
  const effectiveGroups = groups.length === 0 && account ? accountGroups(account.namespace) : groups;
  return {
    user: { name: user, uid, groups: withAuthenticatedGroup(user, effectiveGroups), extra },
    requiredPermissions,
  };
}

interface ResourcePermission {
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name: string;
}

function permissionToImpersonate({ group = '', ...attributes }: ResourcePermission): RequestInfo {
  return toRequestInfo({ resourceAttributes: { verb: 'impersonate', version: 'v1', group, ...attributes } });
}

/** Adds system:authenticated or system:unauthenticated, unless the headers name one of them. */
function withAuthenticatedGroup(user: string, groups: readonly string[]): readonly string[] {
  if (groups.includes(unauthenticatedGroup)) return groups;
  if (user === anonymous.name) return [...groups, unauthenticatedGroup];
  return groups.includes(authenticatedGroup) ? groups : [...groups, authenticatedGroup];
}

/** The headers as upstream's error message prints object references, with blanks where fields are empty. */
function objectReferences(
  { uid, groups, extra }: ImpersonationHeaders,
  authenticationGroup: string,
): string[] {
  const references = groups.map((name) => `{Group  ${name}    }`);
  for (const [key, values] of Object.entries(extra)) {
    for (const value of values) references.push(`{UserExtra  ${value}  ${authenticationGroup}/v1  ${key}}`);
  }
  if (uid !== '') references.push(`{UID  ${uid}  ${authenticationGroup}/v1  }`);
  return references;
}
