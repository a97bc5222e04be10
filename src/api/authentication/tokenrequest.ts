import { list } from '../../schema/collections.ts';
import { int64, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import { kind } from '../meta/kind.ts';

export const BoundObjectReference = struct('authentication/v1.BoundObjectReference', {
  kind: field(1, string),
  apiVersion: field(2, string),
  name: field(3, string),
  uid: field(4, named('types.UID', string)),
});
export type BoundObjectReference = Infer<typeof BoundObjectReference>;

export const TokenRequestSpec = struct('authentication/v1.TokenRequestSpec', {
  audiences: field(1, list(string, { type: 'atomic' }), { required: true }),
  expirationSeconds: field(4, optional(int64), { alwaysWritten: true }),
  boundObjectRef: field(3, optional(BoundObjectReference), { alwaysWritten: true }),
});
export type TokenRequestSpec = Infer<typeof TokenRequestSpec>;

export const TokenRequestStatus = struct('authentication/v1.TokenRequestStatus', {
  token: field(1, string, { required: true }),
  expirationTimestamp: field(2, time, { required: true }),
});
export type TokenRequestStatus = Infer<typeof TokenRequestStatus>;

export const TokenRequest = kind(
  'authentication/v1.TokenRequest',
  {
    spec: field(2, TokenRequestSpec, { required: true }),
    status: field(3, TokenRequestStatus),
  },
  { doc: '' },
);
export type TokenRequest = Infer<typeof TokenRequest>;
