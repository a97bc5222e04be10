// Worker thread: reserves the cluster IPs and node ports of a large Service, which the serving thread allocates. Ports and
// selectors of the Service, which may be very many, stay on the worker.
import type { Service } from '../apis/core/service.ts';
import type { Reservation } from '../kind/hooks.ts';
import { PortAllocationError, type PortOperation } from '../registry/service/node-ports.ts';
import { patchAllocatedValues } from '../registry/service/patch-allocated-values.ts';
import { allocateServicePorts } from '../registry/service/service-ports.ts';
import type { PortlessService, ServingThread } from './questions.ts';

/** The session of the write holds the reservation on the serving thread, and releases it if this throws. */
export function reserveRemotely(
  servingThread: ServingThread,
  service: Service,
  old: Service | undefined,
  dryRun: boolean,
): Reservation {
  const { spec } = servingThread.ask('reserveAddresses', {
    service: withoutPorts(service),
    old: old && withoutPorts(old),
    dryRun,
  });
  Object.assign(service.spec, spec);
  // The serving thread did this without the ports.
  if (old) patchAllocatedValues(service, old);
  allocateServicePorts(service, old, new RemotePortOperation(servingThread));
  return {
    commit: async () => {},
    undo: async () => servingThread.ask('undoReservation', undefined),
  };
}

class RemotePortOperation implements PortOperation {
  /** The serving thread enters the conflict scope when it commits. */
  readonly enter = undefined;
  readonly #servingThread: ServingThread;

  constructor(servingThread: ServingThread) {
    this.#servingThread = servingThread;
  }

  allocate(port: number): void {
    this.#ask(port);
  }

  allocateNext(): number {
    return this.#ask(undefined);
  }

  end(): void {}

  #ask(port: number | undefined): number {
    const answer = this.#servingThread.ask('allocatePort', port);
    if ('problem' in answer) throw new PortAllocationError(answer.problem);
    return answer.port;
  }
}

function withoutPorts({ metadata, spec }: Service): PortlessService {
  const { name, namespace, uid } = metadata;
  const { ports: _, selector: __, ...others } = spec;
  return { metadata: { name, namespace, uid } as PortlessService['metadata'], spec: others };
}
