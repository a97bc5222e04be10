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
    username: field(1, string, { doc: 'The name.' }),
    uid: field(2, string, { doc: 'Tells users apart that have had the same name.' }),
    groups: field(3, list(string, { type: 'atomic' }), { doc: 'The groups.' }),
    extra: field(4, mapOf(extraValue), { doc: 'What else the authenticator knows.' }),
  },
  { doc: 'Who somebody is.' },
);
export type UserInfo = Infer<typeof UserInfo>;

export function userInfo({ name, uid, groups, extra }: User): UserInfo {
  const known = nullPrototypeObject<string[]>();
  for (const [key, values] of Object.entries(extra)) known[key] = [...values];
  return {
    username: name,
    ...(uid && { uid }),
    groups: [...groups],
    ...(Object.keys(known).length > 0 && { extra: known }),
  };
}
