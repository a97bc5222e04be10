// DRA: admin access to devices (adminAccess of a request), which requires a label on the namespace.
// Dialect: the names of labels in Kubernetes' domain, or in Orch's own.

import type { Dialect } from '../../dialect/dialect.ts';
import { type FieldError, forbidden } from '../../errors/field-error.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Reservation, ReservationContext } from '../../kind/hooks.ts';
import { decodePairs } from '../../store/stored-object.ts';
import type { AnyClaim } from './claim-features.ts';

const noReservation: Reservation = { commit: async () => {}, undo: async () => {} };

/**
 * Allows adminAccess only in namespaces with the admin access label. `lookUp` is the strategy's `reserve` hook: it
 * can read the store, and remembers the objects in labelled namespaces for `validate`, which cannot. It reserves
 * nothing.
 */
export class AdminAccessCheck {
  readonly #label: string;
  readonly #permitted = new WeakSet<ApiObject>();

  constructor({ labels }: Dialect) {
    this.#label = labels.adminAccess;
  }

  async lookUp({ store }: ReservationContext, object: ApiObject): Promise<Reservation> {
    const namespace = store.get(`namespaces/${object.metadata.namespace}`);
    if (namespace && decodePairs(namespace.labels).get(this.#label) === 'true') this.#permitted.add(object);
    return noReservation;
  }

  validate(object: ApiObject, { devices }: AnyClaim): FieldError[] {
    if (this.#permitted.has(object)) return [];
    return (devices.requests ?? []).flatMap((request, i) =>
      (request.exactly ?? request).adminAccess
        ? [this.forbiddenError(`spec.devices.requests[${i}].adminAccess`)]
        : [],
    );
  }

  forbiddenError(path: string): FieldError {
    const detail = `admin access to devices requires the \`${this.#label}: true\` label on the containing namespace`;
    return forbidden(path, detail);
  }
}
