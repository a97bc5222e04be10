// The allocators that a kind's strategy may reserve from.
import type { Service } from '../../apis/core/service.ts';
import type { ReservationContext } from '../../kind/hooks.ts';
import type { VerbContext } from '../verb-context.ts';

/** What the hooks `reserve` and `afterDelete` of a strategy may use. */
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
