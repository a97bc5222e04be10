// EnvVar and EnvFromSource: schemas.
import { bool, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import {
  ConfigMapKeySelector,
  ObjectFieldSelector,
  ResourceFieldSelector,
  SecretKeySelector,
} from './key-selector.ts';
import { LocalObjectReference } from './local-object-reference.ts';

const ConfigMapEnvSource = struct(
  'core/v1.ConfigMapEnvSource',
  {
    ...inline(1, LocalObjectReference),
    optional: field(2, optional(bool), { doc: 'Whether the ConfigMap may be missing.' }),
  },
  { doc: 'A ConfigMap whose entries become environment variables.' },
);

const SecretEnvSource = struct(
  'core/v1.SecretEnvSource',
  {
    ...inline(1, LocalObjectReference),
    optional: field(2, optional(bool), { doc: 'Whether the Secret may be missing.' }),
  },
  { doc: 'A Secret whose entries become environment variables.' },
);

export const EnvFromSource = struct(
  'core/v1.EnvFromSource',
  {
    prefix: field(1, string, { doc: 'A prefix for the name of each variable.' }),
    configMapRef: field(2, optional(ConfigMapEnvSource), {
      doc: 'The ConfigMap whose entries become variables.',
    }),
    secretRef: field(3, optional(SecretEnvSource), { doc: 'The Secret whose entries become variables.' }),
  },
  { doc: 'An object whose entries become environment variables.' },
);
export type EnvFromSource = Infer<typeof EnvFromSource>;

const EnvVarSource = struct(
  'core/v1.EnvVarSource',
  {
    fieldRef: field(1, optional(ObjectFieldSelector), { doc: 'A field of the pod.' }),
    resourceFieldRef: field(2, optional(ResourceFieldSelector), {
      doc: 'A resource request or limit of a container.',
    }),
    configMapKeyRef: field(3, optional(ConfigMapKeySelector), { doc: 'A key of a ConfigMap.' }),
    secretKeyRef: field(4, optional(SecretKeySelector), { doc: 'A key of a Secret.' }),
  },
  { doc: 'The source of the value of an environment variable: exactly one of the fields is set.' },
);

export const EnvVar = struct(
  'core/v1.EnvVar',
  {
    name: field(1, string, { required: true, doc: 'The name of the environment variable.' }),
    value: field(2, string, {
      doc: 'The value. `$(NAME)` is replaced by the value of the variable NAME, `$$` by a dollar sign.',
    }),
    valueFrom: field(3, optional(EnvVarSource), {
      doc: 'The source of the value. Mutually exclusive with `value`.',
    }),
  },
  { doc: 'An environment variable of a container.' },
);
export type EnvVar = Infer<typeof EnvVar>;
