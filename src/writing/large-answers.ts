import type { ItemNumbers, WrittenKind } from '../http/forms/form.ts';
import type { LargeWrites } from './large-writes.ts';

/** Has objects written down by a thread that would take too long to write. */
export class LargeAnswers {
  readonly #large: Pick<LargeWrites, 'work'>;

  constructor(large: Pick<LargeWrites, 'work'>) {
    this.#large = large;
  }

  /** Undefined where it has to be done here. `item`: it stands in a list. */
  async write(
    form: string,
    { apiVersion, kind, readAs }: WrittenKind,
    json: Buffer,
    item?: ItemNumbers,
  ): Promise<Buffer | undefined> {
    if (!readAs) return undefined;
    // Copied when its turn has come.
    const outcome = await this.#large.work(() => {
      return { form, kind: { apiVersion, kind, readAs }, item, bytes: new Uint8Array(json) };
    });
    if (outcome.is !== 'written') return undefined;
    const { buffer, byteOffset, byteLength } = outcome.bytes;
    return Buffer.from(buffer, byteOffset, byteLength);
  }
}
