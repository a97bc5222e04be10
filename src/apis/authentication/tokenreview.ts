// TokenReview: schema, and authentication of the reviewed token.

import { badRequest } from '../../errors/catalogue.ts';
import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { resource } from '../../kind/resource.ts';
import { anonymous, InvalidCredentials } from '../../request/authenticator.ts';
import { list } from '../../schema/collections.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { bool, string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import { toUserInfo, UserInfo } from './user-info.ts';

const TokenReviewSpec = struct(
  'authentication/v1.TokenReviewSpec',
  {
    token: field(1, string, { doc: 'The bearer token to review.' }),
    audiences: field(2, list(string, { type: 'atomic' }), {
      doc: 'The audiences of the resource server. The token must be valid for at least one. Defaults to the API server.',
    }),
  },
  { doc: 'The token to review.' },
);

const TokenReviewStatus = struct(
  'authentication/v1.TokenReviewStatus',
  {
    authenticated: field(1, bool, { doc: 'Whether the token is valid.' }),
    user: field(2, UserInfo, { doc: 'The user of the token.' }),
    audiences: field(4, list(string, { type: 'atomic' }), {
      doc: 'The requested audiences that the token is valid for.',
    }),
    error: field(3, string, { doc: 'The reason why the token could not be authenticated.' }),
  },
  { doc: 'The result of a TokenReview.' },
);
type TokenReviewStatus = Infer<typeof TokenReviewStatus>;

export const TokenReview = kind(
  'authentication/v1.TokenReview',
  {
    spec: field(2, TokenReviewSpec, { required: true, doc: 'The token to review.' }),
    status: field(3, TokenReviewStatus, { doc: 'Whether the token is valid, and for which user.' }),
  },
  { doc: 'Authenticates a bearer token.' },
);
export type TokenReview = Infer<typeof TokenReview>;

export const tokenreviews = (_context: KindContext) =>
  resource<TokenReview>({
    group: 'authentication',
    version: 'v1',
    kind: 'TokenReview',
    plural: 'tokenreviews',
    namespaced: false,
    verbs: ['create'],
    schema: TokenReview,
    strategy: { validateName: nameIsPathSegment },
    async perform({ tokens, authenticators }, object) {
      const { spec, status: requestedStatus } = object as TokenReview;
      if (!spec.token) throw badRequest('token is required for TokenReview in authentication');
      const audiences = spec.audiences?.length ? spec.audiences : tokens.audiences;
      // Authenticates like a request whose only credential is the reviewed token.
      const credentials = {
        authorization: `Bearer ${spec.token}`,
        token: undefined,
        connection: undefined,
        rawHeaders: [],
        audiences,
      };
      const fallback = { user: anonymous, audiences };
      const ignoreWarning = () => {};
      const result = await authenticators.authenticate(credentials, fallback, ignoreWarning);
      const status: TokenReviewStatus =
        result instanceof InvalidCredentials
          ? { ...requestedStatus, authenticated: false, error: result.reason }
          : {
              ...requestedStatus,
              authenticated: true,
              user: toUserInfo(result.user),
              ...(result.audiences && { audiences: [...result.audiences] }),
            };
      return { ...object, metadata: { ...object.metadata, creationTimestamp: null }, status };
    },
  });
