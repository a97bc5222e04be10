import type { ResourceDefinition } from '../resource/definition.ts';
import { controllerrevisions } from './apps/controllerrevision.ts';
import type { KindContext } from './context.ts';
import { leases } from './coordination/lease.ts';
import { componentstatuses } from './core/componentstatus.ts';
import { configmaps } from './core/configmap.ts';
import { endpoints } from './core/endpoints.ts';
import { coreEvents } from './core/event.ts';
import { limitranges } from './core/limitrange.ts';
import { namespaces } from './core/namespace.ts';
import { secrets } from './core/secret.ts';
import { events } from './events/event.ts';

/** Every kind the server is built with. */
export function builtinKinds({ dialect }: KindContext): ResourceDefinition[] {
  return [
    componentstatuses(),
    configmaps(dialect),
    endpoints(dialect),
    coreEvents(dialect),
    limitranges(dialect),
    namespaces(dialect),
    secrets(dialect),
    controllerrevisions(dialect),
    leases(),
    events(dialect),
  ];
}
