// Schema of UserInfo, which TokenReview and SelfSubjectReview share.

import { nullPrototypeObject } from '../../codec/json/json-value.ts';
import type { User } from '../../request/user.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

/** Protobuf wraps the list in a message, ExtraValue, whose first field it is. */
const extraValue = list(string, { name: 'authentication/v1.ExtraValue' });

export const UserInfo = struct(
  'authentication/v1.UserInfo',
  {
    username: field(1, string, { doc: 'The name of the user.' }),
    uid: field(2, string, {
      doc: 'An identifier that distinguishes users who have had the same name over time.',
    }),
    groups: field(3, list(string, { type: 'atomic' }), { doc: 'The groups of the user.' }),
    extra: field(4, mapOf(extraValue), { doc: 'Additional attributes from the authenticator.' }),
  },
  { doc: 'The attributes of a user.' },
);
export type UserInfo = Infer<typeof UserInfo>;

export function toUserInfo({ name, uid, groups, extra }: User): UserInfo {
  const extraValues = nullPrototypeObject<string[]>();
  for (const [key, values] of Object.entries(extra)) extraValues[key] = [...values];
  return {
    username: name,
    ...(uid && { uid }),
    groups: [...groups],
    ...(Object.keys(extraValues).length > 0 && { extra: extraValues }),
  };
}
