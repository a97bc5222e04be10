// Core API group: its resource definitions.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { bindings } from './binding.ts';
import { componentstatuses } from './componentstatus.ts';
import { configmaps } from './configmap.ts';
import { endpoints } from './endpoints.ts';
import { coreEvents } from './event-definition.ts';
import { limitranges } from './limitrange.ts';
import { namespaces } from './namespace.ts';
import { nodes } from './node-definition.ts';
import { persistentvolumes } from './persistentvolume-definition.ts';
import { persistentvolumeclaims } from './persistentvolumeclaim-definition.ts';
import { pods } from './pod-definition.ts';
import { podtemplates } from './podtemplate.ts';
import { replicationcontrollers } from './replicationcontroller.ts';
import { resourcequotas } from './resourcequota-definition.ts';
import { secrets } from './secret.ts';
import { services } from './service-definition.ts';
import { serviceaccounts } from './serviceaccount.ts';

export const coreKinds = (context: KindContext): ResourceDefinition[] => [
  componentstatuses(),
  configmaps(context.dialect),
  endpoints(context),
  coreEvents(context.dialect),
  limitranges(context.dialect),
  namespaces(context.dialect),
  secrets(context.dialect),
  bindings(context),
  nodes(context),
  persistentvolumeclaims(context),
  persistentvolumes(context),
  pods(context),
  podtemplates(context),
  replicationcontrollers(context),
  resourcequotas(context),
  serviceaccounts(context),
  services(context),
];
