import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const Subject = struct(
  'rbac/v1.Subject',
  {
    kind: field(1, string, { required: true }),
    apiGroup: field(2, string),
    name: field(3, string, { required: true }),
    namespace: field(4, string),
  },
  { atomic: true },
);
export type Subject = Infer<typeof Subject>;

export const RoleRef = struct(
  'rbac/v1.RoleRef',
  {
    apiGroup: field(1, string, { required: true }),
    kind: field(2, string, { required: true }),
    name: field(3, string, { required: true }),
  },
  { atomic: true },
);
export type RoleRef = Infer<typeof RoleRef>;
