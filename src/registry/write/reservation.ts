// Connects the Service strategy, which reserves cluster IPs and node ports, with the server's allocators.
import type { Service } from '../../apis/core/service.ts';
import type { ReservationContext } from '../../kind/hooks.ts';
import type { VerbContext } from '../verb-context.ts';

/** The context of the strategy hooks `reserve` and `afterDelete`, which only Services have. */
export function reservationContext(api: VerbContext): ReservationContext {
  const { store, serviceAllocation: allocation } = api;
  return {
    store,
    serviceAllocator: {
      reserve: (service, old, dryRun) =>
        allocation.reserve(api, service as Service, old as Service | undefined, dryRun),
      release: (service) => allocation.release(api, service as Service),
    },
  };
}
