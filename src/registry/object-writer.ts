// Writes objects of built-in kinds for the actions of a kind (binding, eviction, token requests), as the server itself:
// without admission and validation.

import type { ApiObject } from '../kind/api-object.ts';
import type { ValidatedDeleteOptions } from '../kind/delete-options.ts';
import type { ObjectKey, ObjectUpdateOptions, ObjectWriter } from '../kind/hooks.ts';
import { RegistryReader } from './object-reader.ts';
import type { Target } from './target.ts';
import type { VerbContext } from './verb-context.ts';
import { assertPreconditions, deleteObject } from './verbs/delete.ts';
import { guaranteedUpdate } from './verbs/guaranteed-update.ts';

export class RegistryWriter extends RegistryReader implements ObjectWriter {
  readonly #api: VerbContext;

  constructor(api: VerbContext) {
    super(api);
    this.#api = api;
  }

  async guaranteedUpdate(
    key: ObjectKey,
    change: (object: ApiObject) => void,
    { dryRun = false, managedThrough, preconditions }: ObjectUpdateOptions = {},
  ): Promise<void> {
    const target = this.#target(key);
    const assertAndChange = (object: ApiObject) => {
      if (preconditions) assertPreconditions(target, object, { preconditions });
      change(object);
    };
    await guaranteedUpdate(this.#api, target, assertAndChange, {
      dryRun,
      ...(managedThrough !== undefined && { managedThrough }),
    });
  }

  async delete(key: ObjectKey, options: ValidatedDeleteOptions): Promise<void> {
    await deleteObject(this.#api, this.#target(key), options);
  }

  #target({ group, version, plural, namespace, name }: ObjectKey): Target {
    return { resource: this.#api.registry.kind(group, version, plural), namespace, name, subresource: '' };
  }
}
