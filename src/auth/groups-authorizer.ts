import type { Dialect } from '../dialect/dialect.ts';
import type { RequestInfo, User } from '../http/exchange.ts';
import { authenticatedGroup, mastersGroup } from './authenticator.ts';
import { type Authorizer, allow, type Decision, deny, type ResourceRule, type Rules } from './authorizer.ts';

/** Read by anybody, known or not. */
const publicPaths = ['/healthz', '/livez', '/readyz', '/version', '/version/'];

/** Read by whoever is known, so that a client can find out what is served. */
const discoveryPaths = ['/api', '/apis', '/openapi'];

const everything: Rules = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

/**
 * Decides by group alone: masters may do everything; whoever is known may ask about themselves and look at what the
 * server is; others may see that it is there.
 */
export class GroupsAuthorizer implements Authorizer {
  /** What whoever is known may do to resources: ask who they are and what they may do. */
  readonly #known: readonly ResourceRule[];

  constructor(dialect: Dialect) {
    this.#known = [
      {
        verbs: ['create'],
        apiGroups: [dialect.groupName('authorization')],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      },
      {
        verbs: ['create'],
        apiGroups: [dialect.groupName('authentication')],
        resources: ['selfsubjectreviews'],
      },
    ];
  }

  authorize(user: User, info: RequestInfo): Decision {
    if (user.groups.includes(mastersGroup)) return allow;
    const isKnown = user.groups.includes(authenticatedGroup);
    if (info.isResource) return isKnown && this.#known.some((rule) => covers(rule, info)) ? allow : deny;
    if (info.verb !== 'get') return deny;
    if (publicPaths.includes(info.path)) return allow;
    return isKnown && isDiscovery(info.path) ? allow : deny;
  }

  rulesOf(user: User): Rules {
    const isKnown = user.groups.includes(authenticatedGroup);
    const discovery = discoveryPaths.flatMap((path) => [path, `${path}/*`]);
    const own: Rules = {
      resourceRules: isKnown ? this.#known : [],
      nonResourceRules: [
        { verbs: ['get'], nonResourceURLs: [...(isKnown ? discovery : []), ...publicPaths] },
      ],
    };
    if (!user.groups.includes(mastersGroup)) return own;
    return {
      resourceRules: [...everything.resourceRules, ...own.resourceRules],
      nonResourceRules: [...everything.nonResourceRules, ...own.nonResourceRules],
    };
  }
}

function covers({ verbs, apiGroups, resources }: ResourceRule, info: RequestInfo): boolean {
  return (
    verbs.includes(info.verb) &&
    apiGroups.includes(info.group) &&
    resources.includes(info.resource) &&
    info.subresource === ''
  );
}

function isDiscovery(path: string): boolean {
  return discoveryPaths.some((root) => path === root || path.startsWith(`${root}/`));
}
