// Patches the status of objects that may be large, such as CustomResourceDefinitions. The write executor decides whether a
// worker thread prepares the write.
import type { Lister } from '../../client/lister.ts';
import { jsonPatchType } from '../../patch/decode-patch.ts';
import { defaultWriteOptions } from '../../registry/options/write-options.ts';
import type { WriteExecutor } from '../../workers/write-executor.ts';

export class StatusPatcher {
  readonly #executor: WriteExecutor;

  constructor(executor: WriteExecutor) {
    this.#executor = executor;
  }

  /**
   * Replaces the status of a cluster-scoped object, or one field of it. Fails with a conflict if the object has another
   * resourceVersion by now.
   */
  async patch<T>(
    { resource }: Lister<T>,
    name: string,
    resourceVersion: string,
    field: 'conditions' | undefined,
    value: object,
  ): Promise<void> {
    const patch = [
      { op: 'add', path: '/metadata/resourceVersion', value: resourceVersion },
      { op: 'add', path: field === undefined ? '/status' : `/status/${field}`, value },
    ];
    const target = { resource, namespace: '', name, subresource: 'status' };
    const input = { verb: 'patch', type: jsonPatchType, source: Buffer.from(JSON.stringify(patch)) } as const;
    await this.#executor.execute({ target, options: defaultWriteOptions, input }, []);
  }
}
