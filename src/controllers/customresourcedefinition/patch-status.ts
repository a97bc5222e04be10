// Updates the status of a CustomResourceDefinition.
import { jsonPatchType } from '../../patch/decode-patch.ts';
import { plainWrite } from '../../registry/options/write-options.ts';
import type { Target } from '../../registry/target.ts';
import type { Revision } from '../../store/store.ts';
import type { WriteExecutor } from '../../workers/write-executor.ts';

/** Patches the status, or one field of it, at a known revision: definitions may be large, their status is not. */
export async function patchStatus(
  writing: WriteExecutor,
  target: Target,
  state: Revision,
  field: 'conditions' | undefined,
  value: object,
): Promise<void> {
  const change = [
    { op: 'add', path: '/metadata/resourceVersion', value: String(state) },
    { op: 'add', path: field === undefined ? '/status' : `/status/${field}`, value },
  ];
  const input = { verb: 'patch', type: jsonPatchType, source: Buffer.from(JSON.stringify(change)) } as const;
  await writing.execute({ target, options: plainWrite, input }, []);
}
