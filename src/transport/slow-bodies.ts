// The bytes of request bodies that arrive slowly. They hold no seat of flow control, so their memory is bounded here.
import { tooManyRequests } from '../errors/catalogue.ts';

const maxBytesPerUser = 32 * 1024 * 1024;
const maxBytes = 256 * 1024 * 1024;
const retryAfterSeconds = 1;

export class SlowBodies {
  readonly #bytesByUser = new Map<string, number>();
  #bytes = 0;

  /** Throws 429 if the user, or all users together, have too many. */
  add(user: string, bytes: number): void {
    const ofUser = (this.#bytesByUser.get(user) ?? 0) + bytes;
    if (ofUser > maxBytesPerUser || this.#bytes + bytes > maxBytes) {
      throw tooManyRequests(
        'too many request bodies arrive slowly, please try again later',
        retryAfterSeconds,
      );
    }
    this.#bytesByUser.set(user, ofUser);
    this.#bytes += bytes;
  }

  remove(user: string, bytes: number): void {
    const ofUser = (this.#bytesByUser.get(user) ?? 0) - bytes;
    if (ofUser > 0) this.#bytesByUser.set(user, ofUser);
    else this.#bytesByUser.delete(user);
    this.#bytes -= bytes;
  }
}
