import type { Auditor } from '../audit/auditor.ts';
import { InternalRequestAudit } from '../audit/internal-request-audit.ts';
import { Client } from '../client/client.ts';
import type { ControllerContext, ControllerDescriptor } from '../controllers/runtime/controller.ts';
import { controllerUser } from '../controllers/runtime/controller-user.ts';
import type { Api } from '../registry/api.ts';

/** The API as a controller has it: what it writes is noted as its own. */
export function actingAs(
  { serviceAccount }: ControllerDescriptor,
  api: Api,
  auditor: Auditor | undefined,
): Pick<ControllerContext, 'api' | 'client' | 'identity'> {
  const { dialect, clock } = api;
  const user = controllerUser(dialect, serviceAccount);
  const manager = dialect.component('controller-manager');
  const witness = auditor && new InternalRequestAudit(auditor, clock, user, `${manager}/${user.name}`);
  const own = witness ? { ...api, witness } : api;
  return { api: own, client: new Client(own), identity: { user, manager } };
}
