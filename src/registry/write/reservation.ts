import type { Service } from '../../apis/core/service.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Reservation, ReservationContext } from '../../kind/hooks.ts';
import type { Strategy } from '../../kind/strategy.ts';
import type { Api } from '../api.ts';

/**
 * Takes what the object needs beyond itself, then writes it. What was taken is the object's once it is stored, and given
 * back if it is not: because `write` throws, or says so.
 */
export async function reserving<Written>(
  api: Api,
  strategy: Strategy,
  { object, old, dryRun }: { object: ApiObject; old?: ApiObject; dryRun: boolean },
  write: (enter: Reservation['enter']) => Promise<Written>,
  isStored: (written: Written) => boolean = () => true,
): Promise<Written> {
  const reservation = await strategy.reserve?.(reservationContext(api), object, old, dryRun);
  if (!reservation) return write(undefined);
  let isDone = false;
  try {
    const written = await write(reservation.enter);
    isDone = isStored(written);
    return written;
  } finally {
    // What cannot be given back now is found later. What the client must hear is what became of the object.
    await (isDone ? reservation.commit() : reservation.undo()).catch(() => {});
  }
}

/** What the hooks `reserve` and `afterDelete` of a strategy may use. */
export function reservationContext(api: Api): ReservationContext {
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
