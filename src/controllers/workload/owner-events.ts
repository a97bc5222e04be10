// Events of a controller about its owners.

import type { ObjectMetadata } from '../../kind/api-object.ts';
import type { ServedResource } from '../../kind/registry.ts';
import type { EventRecorder, RecordedEvent } from '../runtime/event-recorder.ts';

export class OwnerEvents {
  readonly #recorder: EventRecorder;
  readonly #resource: ServedResource;
  readonly #component: string;

  /** `component` is the event source. */
  constructor(recorder: EventRecorder, resource: ServedResource, component: string) {
    this.#recorder = recorder;
    this.#resource = resource;
    this.#component = component;
  }

  record(owner: ObjectMetadata, type: RecordedEvent['type'], reason: string, message: string): void {
    const { name = '', namespace = '', uid = '', resourceVersion = '' } = owner;
    const { apiVersion, kind } = this.#resource;
    const involvedObject = { apiVersion, kind, name, namespace, uid, resourceVersion };
    this.#recorder.record({ involvedObject, type, reason, message, component: this.#component });
  }
}
