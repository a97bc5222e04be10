import type { RequestInfo, User } from '../http/exchange.ts';
import { authenticatedGroup, mastersGroup } from './authenticator.ts';
import { type Authorizer, allow, type Decision, deny } from './authorizer.ts';

/** Read by anybody, known or not. */
const publicPaths = new Set(['/healthz', '/livez', '/readyz', '/version', '/version/']);

/** Read by whoever is known, so that a client can find out what is served. */
const discoveryPaths = ['/api', '/apis', '/openapi'];

/** Decides by group alone: masters may do everything, others may look at what the server is. */
export class GroupsAuthorizer implements Authorizer {
  authorize(user: User, info: RequestInfo): Decision {
    if (user.groups.includes(mastersGroup)) return allow;
    if (info.isResource || info.verb !== 'get') return deny;
    if (publicPaths.has(info.path)) return allow;
    return user.groups.includes(authenticatedGroup) && isDiscovery(info.path) ? allow : deny;
  }
}

function isDiscovery(path: string): boolean {
  return discoveryPaths.some((root) => path === root || path.startsWith(`${root}/`));
}
