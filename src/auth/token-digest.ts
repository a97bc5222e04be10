import * as crypto from 'node:crypto';

/**
 * What a token is looked up by: how long a lookup takes then says nothing about how much of a guessed token is right.
 * Many requests come by here, and `hash` is three times as fast; Node has it from 20.12 on.
 */
export const tokenDigest =
  typeof crypto.hash === 'function'
    ? (token: string) => crypto.hash('sha256', token, 'base64')
    : (token: string) => crypto.createHash('sha256').update(token).digest('base64');
