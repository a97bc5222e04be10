import { list } from '../../schema/collections.ts';
import { bool, string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { UserInfo } from './user-info.ts';

export const TokenReviewSpec = struct('authentication/v1.TokenReviewSpec', {
  token: field(1, string),
  audiences: field(2, list(string, { type: 'atomic' })),
});
export type TokenReviewSpec = Infer<typeof TokenReviewSpec>;

export const TokenReviewStatus = struct('authentication/v1.TokenReviewStatus', {
  authenticated: field(1, bool),
  user: field(2, UserInfo),
  audiences: field(4, list(string, { type: 'atomic' })),
  error: field(3, string),
});
export type TokenReviewStatus = Infer<typeof TokenReviewStatus>;

export const TokenReview = kind(
  'authentication/v1.TokenReview',
  {
    spec: field(2, TokenReviewSpec, { required: true }),
    status: field(3, TokenReviewStatus),
  },
  { doc: '' },
);
export type TokenReview = Infer<typeof TokenReview>;

export const tokenreviews = (context: KindContext) =>
  resource<TokenReview>({
    group: 'authentication',
    version: 'v1',
    kind: 'TokenReview',
    plural: 'tokenreviews',
    namespaced: false,
    verbs: ['create'],
    schema: TokenReview,
    strategy: plainStrategy(context, TokenReview),
  });
