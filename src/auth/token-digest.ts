// Digest of a bearer token, as a cache key.
import * as crypto from 'node:crypto';

/**
 * A lookup by digest takes the same time whatever part of a guessed token is right (timing attacks). `crypto.hash`
 * is three times as fast as `createHash`; Node has it from 20.12 on.
 */
export const tokenDigest =
  typeof crypto.hash === 'function'
    ? (token: string) => crypto.hash('sha256', token, 'base64')
    : (token: string) => crypto.createHash('sha256').update(token).digest('base64');
