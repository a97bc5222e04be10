// Caches service account tokens until they must be refreshed, as the kubelet does.
import type { Clock } from '../base/clock.ts';
import type { IssuedToken, TokenWish, VolumeReader } from './volume-reader.ts';

interface Kept {
  readonly token: string;
  readonly replaceAt: number;
  readonly expiresAt: number;
}

const longest = 24 * 60 * 60_000;
const freshShare = 0.8;

/** Refreshes after 80 % of the lifetime, at most 24 hours. */
export class TokenKeeper {
  readonly #reader: Pick<VolumeReader, 'token'>;
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();

  constructor(reader: Pick<VolumeReader, 'token'>, clock: Clock) {
    this.#reader = reader;
    this.#clock = clock;
  }

  /** Returns a token and its refresh time. If the refresh fails, a valid token is used further. */
  async get(wish: TokenWish): Promise<{ readonly token: string; readonly replaceAt: number }> {
    const key = JSON.stringify(wish);
    const kept = this.#kept.get(key);
    const now = this.#clock.now();
    if (kept && now < kept.replaceAt) return kept;
    try {
      const fresh = lifeOf(await this.#reader.token(wish), now);
      this.#kept.set(key, fresh);
      return fresh;
    } catch (error) {
      if (kept && now < kept.expiresAt) return kept;
      throw error;
    }
  }
}

function lifeOf({ token, expirationTimestamp }: IssuedToken, now: number): Kept {
  const expiresAt = Date.parse(expirationTimestamp);
  return { token, expiresAt, replaceAt: now + Math.min((expiresAt - now) * freshShare, longest) };
}
