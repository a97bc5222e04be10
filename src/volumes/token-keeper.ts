// Caches the tokens of serviceAccountToken projections until they must be rotated, as the kubelet's token manager does.
import type { Clock } from '../base/clock.ts';
import type { IssuedToken, ProjectedTokenRequest, VolumeReader } from './volume-reader.ts';

/** Times are in milliseconds since the epoch. */
interface CachedVolumeToken {
  readonly token: string;
  /** When the token must be rotated. */
  readonly replaceAt: number;
  readonly expiresAt: number;
}

const maxTokenAgeMs = 24 * 60 * 60_000;
const refreshFraction = 0.8;

/** Rotates a token after 80 % of its lifetime, or after 24 hours. */
export class TokenKeeper {
  readonly #reader: Pick<VolumeReader, 'token'>;
  readonly #clock: Clock;
  readonly #cache = new Map<string, CachedVolumeToken>();

  constructor(reader: Pick<VolumeReader, 'token'>, clock: Clock) {
    this.#reader = reader;
    this.#clock = clock;
  }

  /** Returns a token and its rotation time. If the TokenRequest fails, an unexpired cached token is returned. */
  async get(request: ProjectedTokenRequest): Promise<{ readonly token: string; readonly replaceAt: number }> {
    const key = JSON.stringify(request);
    const cached = this.#cache.get(key);
    const now = this.#clock.now();
    if (cached && now < cached.replaceAt) return cached;
    try {
      const fresh = withRefreshTime(await this.#reader.token(request), now);
      this.#cache.set(key, fresh);
      return fresh;
    } catch (error) {
      if (cached && now < cached.expiresAt) return cached;
      throw error;
    }
  }
}

function withRefreshTime({ token, expirationTimestamp }: IssuedToken, now: number): CachedVolumeToken {
  const expiresAt = Date.parse(expirationTimestamp);
  return { token, expiresAt, replaceAt: now + Math.min((expiresAt - now) * refreshFraction, maxTokenAgeMs) };
}
