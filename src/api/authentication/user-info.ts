import { list, mapOf } from '../../schema/collections.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

/** In Protobuf a message of its own, whose first field is the list. */
export const extraValue = list(string, { name: 'authentication/v1.ExtraValue' });

export const UserInfo = struct('authentication/v1.UserInfo', {
  username: field(1, string),
  uid: field(2, string),
  groups: field(3, list(string, { type: 'atomic' })),
  extra: field(4, mapOf(extraValue)),
});
export type UserInfo = Infer<typeof UserInfo>;
