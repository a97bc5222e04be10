// SelfSubjectReview: returns the user info of the caller.

import { timestamp } from '../../base/clock.ts';
import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { resource } from '../../kind/resource.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import { toUserInfo, UserInfo } from './user-info.ts';

const SelfSubjectReviewStatus = struct(
  'authentication/v1.SelfSubjectReviewStatus',
  { userInfo: field(1, UserInfo, { doc: 'The user attributes of the caller.' }) },
  { doc: 'The result of a SelfSubjectReview.' },
);

export const SelfSubjectReview = kind(
  'authentication/v1.SelfSubjectReview',
  { status: field(2, SelfSubjectReviewStatus, { doc: 'The user attributes of the caller.' }) },
  { doc: 'Returns the user attributes of the caller.' },
);
export type SelfSubjectReview = Infer<typeof SelfSubjectReview>;

export const selfsubjectreviews = (_context: KindContext) =>
  resource<SelfSubjectReview>({
    group: 'authentication',
    version: 'v1',
    kind: 'SelfSubjectReview',
    plural: 'selfsubjectreviews',
    namespaced: false,
    verbs: ['create'],
    schema: SelfSubjectReview,
    strategy: { validateName: nameIsPathSegment },
    perform: async ({ clock, user }, object) => ({
      ...object,
      metadata: { creationTimestamp: timestamp(clock) },
      status: { userInfo: toUserInfo(user) },
    }),
  });
