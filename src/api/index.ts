import type { Dialect } from '../dialect/dialect.ts';
import type { ResourceDefinition } from '../resource/definition.ts';
import { configmaps } from './core/configmap.ts';
import { namespaces } from './core/namespace.ts';

/** Every kind the server is built with. */
export function builtinKinds(dialect: Dialect): ResourceDefinition[] {
  return [configmaps(dialect), namespaces(dialect)];
}
