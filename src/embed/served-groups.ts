// The option `groups` as --runtime-config.
import { servedKinds } from '../apis/served-kinds.ts';
import { nearest } from '../base/nearest.ts';
import type { ServerOptions } from '../server/options.ts';

/** The group of CustomResourceDefinitions, which kinds of the embedding program need. */
const definitionGroup = 'apiextensions';

/** A group stands for its versions that are served by default. */
export function runtimeConfigOf(
  groups: readonly string[],
  options: ServerOptions,
  { hasDefinitions }: { readonly hasDefinitions: boolean },
): ServerOptions['runtimeConfig'] {
  const { registry, dialect } = servedKinds(options);
  const served = registry.resources.map(({ group, apiVersion }) => ({ group, apiVersion }));
  if (groups.length === 0 && !hasDefinitions) {
    throw new TypeError('startServer: groups is empty: name at least one group, or leave the option out');
  }
  const requested = hasDefinitions ? [...groups, dialect.groupName(definitionGroup)] : groups;
  const enabled = requested.flatMap((name) => {
    const matching = served.filter(({ group, apiVersion }) => name === group || name === apiVersion);
    if (matching.length > 0) return matching.map(({ apiVersion }) => apiVersion);
    const suggestion = nearest(
      name,
      served.map(({ group }) => group),
    );
    throw new TypeError(
      `startServer: groups has ${JSON.stringify(name)}, which is not served${suggestion ? ` (did you mean ${suggestion}?)` : ''}`,
    );
  });
  return {
    ...options.runtimeConfig,
    'api/all': false,
    ...Object.fromEntries(enabled.map((apiVersion) => [apiVersion, true])),
  };
}
