import { badRequest, methodNotAllowed, noSuchPath, notFound } from '../../errors/catalogue.ts';
import type { Verb } from '../../kind/definition.ts';
import type { Registry, ServedResource } from '../../kind/registry.ts';
import type { Target } from '../../registry/api.ts';
import type { RequestInfo } from '../../request/request-info.ts';

export interface Route {
  readonly verb: Verb;
  readonly target: Target;
}

/** The deprecated paths that say `watch` before what is watched. */
const watchPath = /^\/(?:api|apis\/[^/]+)\/[^/]+\/watch\//;

/** Finds what a path leads to and whether the method fits. Undefined: nothing of that group is served. */
export function route(registry: Registry, info: RequestInfo, method: string): Route | undefined {
  if (info.path.startsWith('//')) return undefined;
  const resource = registry.find(info.group, info.version, info.resource);
  if (!resource) {
    if (!registry.hasGroup(info.group)) return undefined;
    throw noSuchPath();
  }
  // What `fieldSelector=metadata.name=…` names is no part of the path.
  const inPath = info.isNameInPath ? info.name : '';
  const isWatchPath = info.verb === 'watch' && watchPath.test(info.path);
  const namespace = resource.definition.namespaced ? info.namespace : '';
  const target: Target = { resource, namespace, name: inPath, subresource: info.subresource };
  const isReached = info.isRoutable && info.verb !== 'proxy' && isReachable(resource, info, target);
  if (resource.definition.isCustom) {
    if (isReached ? crossesNamespaces(info, target) : info.subresource === '') return undefined;
    if (!isReached) throw notFound(resource.subject, inPath);
  } else if (!isReached) throw noSuchPath();
  // Else somebody who may watch could do by such a path whatever the subresource does.
  if (isWatchPath && info.subresource !== '') throw noSuchPath();
  const verb = info.verb as Verb;
  if (info.subresource === 'proxy' && proxied.has(method)) return { verb, target };
  const allowed = resource.verbsOf(info.subresource);
  if (verb === 'watch' && method === 'GET' && !allowed.includes('watch') && allowed.includes('list')) {
    if (isWatchPath) throw noSuchPath();
    return { verb, target };
  }
  if (
    !allowed.includes(verb) ||
    method === 'HEAD' ||
    (verb === 'watch' && method !== 'GET') ||
    !fitsPath(verb, target)
  )
    throw methodNotAllowed();
  if (target.name !== '') refuseBadName(target.name);
  return { verb, target };
}

function isReachable(resource: ServedResource, info: RequestInfo, target: Target): boolean {
  const { namespaced } = resource.definition;
  if (!namespaced && info.isInNamespace) return false;
  if (namespaced && info.namespace === '' && target.name !== '') {
    if (info.isInNamespace) throw badRequest('Namespace parameter required.');
    return false;
  }
  // What is only ever created (reviews) has no objects with paths of their own.
  if (target.name !== '' && target.subresource === '' && !resource.verbsOf('').some(isOfObject)) return false;
  return target.subresource === '' || resource.subresource(target.subresource) !== undefined;
}

/** What is created must be so in some namespace. */
function crossesNamespaces({ verb }: RequestInfo, { resource, namespace }: Target): boolean {
  return resource.definition.namespaced && namespace === '' && verb !== 'list' && verb !== 'watch';
}

/** A proxy takes every method, also those that are no verb. */
const proxied = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

const collectionVerbs: ReadonlySet<Verb> = new Set(['list', 'watch', 'create', 'deletecollection']);

const isOfObject = (verb: Verb) => !collectionVerbs.has(verb);

function fitsPath(verb: Verb, target: Target): boolean {
  const acrossNamespaces = target.resource.definition.namespaced && target.namespace === '';
  if (acrossNamespaces) return verb === 'list' || verb === 'watch';
  if (target.name === '') return collectionVerbs.has(verb);
  return verb === 'watch' || !collectionVerbs.has(verb) || (verb === 'create' && target.subresource !== '');
}

function refuseBadName(name: string): void {
  const problem =
    name === '.' || name === '..'
      ? `may not be '${name}'`
      : name.includes('/')
        ? "may not contain '/'"
        : name.includes('%')
          ? "may not contain '%'"
          : undefined;
  if (problem) throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${problem}`);
}
