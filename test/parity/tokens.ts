import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Json, JsonObject } from './case.ts';
import type { Server } from './client.ts';

/** Signs the service account tokens of a case for this server. */
export type Signer = (claims: JsonObject, header?: JsonObject) => string;

/** Signs with the server's own key (RSA on both sides), if the run started the server. */
export function signerOf(server: Server): Signer {
  const { tokenKey } = server;
  if (tokenKey === undefined) return () => 'no.key.here';
  const key = createPrivateKey(readFileSync(tokenKey));
  return (claims, header = {}) => {
    const signed = `${part({ alg: 'RS256', ...header })}.${part(claims)}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  };
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const read = (text = '') => JSON.parse(Buffer.from(text, 'base64url').toString()) as JsonObject;

export const tokenInText = /eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g;

export const isToken = (value: Json): value is string =>
  typeof value === 'string' && /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+$/.test(value);

/** The claims of a token. */
export const claimsOf = (token: string): JsonObject => read(token.split('.')[1]);

/** A token in comparable form: times are relative to its issuance, and key ids are masked. */
export function shownToken(token: string): JsonObject {
  const [header, body] = token.split('.');
  const claims = read(body);
  const made = Number(claims.iat);
  return {
    header: { ...read(header), kid: '<key>' },
    claims: JSON.parse(JSON.stringify(claims), (key, value: Json) =>
      typeof value === 'number' && ['exp', 'iat', 'nbf', 'warnafter'].includes(key)
        ? `made + ${value - made}`
        : value,
    ) as JsonObject,
  };
}
