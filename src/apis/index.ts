// The built-in kinds: the resource definitions of all API groups.

import type { KindContext } from '../kind/context.ts';
import type { ResourceDefinition } from '../kind/definition.ts';
import { admissionregistrationKinds } from './admissionregistration/index.ts';
import { apiextensionsKinds } from './apiextensions/index.ts';
import { apiregistrationKinds } from './apiregistration/index.ts';
import { apiserverinternalKinds } from './apiserverinternal/index.ts';
import { appsKinds } from './apps/index.ts';
import { authenticationKinds } from './authentication/index.ts';
import { authorizationKinds } from './authorization/index.ts';
import { autoscalingKinds } from './autoscaling/index.ts';
import { batchKinds } from './batch/index.ts';
import { certificatesKinds } from './certificates/index.ts';
import { coordinationKinds } from './coordination/index.ts';
import { coreKinds } from './core/index.ts';
import { withIscsiFileSystem } from './core/iscsi-file-system.ts';
import { markDeprecatedVersions } from './deprecations.ts';
import { discoveryKinds } from './discovery/index.ts';
import { eventsKinds } from './events/index.ts';
import { flowcontrolKinds } from './flowcontrol/index.ts';
import { networkingKinds } from './networking/index.ts';
import { nodeKinds } from './node/index.ts';
import { policyKinds } from './policy/index.ts';
import { rbacKinds } from './rbac/index.ts';
import { resourceKinds } from './resource/index.ts';
import { schedulingKinds } from './scheduling/index.ts';
import { storageKinds } from './storage/index.ts';
import { storagemigrationKinds } from './storagemigration/index.ts';

const groups: readonly ((context: KindContext) => ResourceDefinition[])[] = [
  coreKinds,
  appsKinds,
  coordinationKinds,
  eventsKinds,
  apiregistrationKinds,
  apiextensionsKinds,
  authenticationKinds,
  authorizationKinds,
  autoscalingKinds,
  batchKinds,
  certificatesKinds,
  networkingKinds,
  policyKinds,
  rbacKinds,
  storageKinds,
  admissionregistrationKinds,
  schedulingKinds,
  nodeKinds,
  discoveryKinds,
  resourceKinds,
  flowcontrolKinds,
  apiserverinternalKinds,
  storagemigrationKinds,
];

export function builtinKinds(context: KindContext): ResourceDefinition[] {
  const kinds = groups.flatMap((kindsOf) => kindsOf(context));
  return markDeprecatedVersions(withIscsiFileSystem(kinds, context.dialect));
}
