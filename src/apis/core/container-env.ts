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
    optional: field(2, optional(bool), { doc: 'The container starts even if the ConfigMap is missing.' }),
  },
  { doc: 'A ConfigMap whose entries become environment variables.' },
);

const SecretEnvSource = struct(
  'core/v1.SecretEnvSource',
  {
    ...inline(1, LocalObjectReference),
    optional: field(2, optional(bool), { doc: 'The container starts even if the Secret is missing.' }),
  },
  { doc: 'A Secret whose entries become environment variables.' },
);

export const EnvFromSource = struct(
  'core/v1.EnvFromSource',
  {
    prefix: field(1, string, { doc: 'Put before each of the names.' }),
    configMapRef: field(2, optional(ConfigMapEnvSource), { doc: 'The ConfigMap to take them from.' }),
    secretRef: field(3, optional(SecretEnvSource), { doc: 'The Secret to take them from.' }),
  },
  { doc: 'Environment variables that all come from one object.' },
);
export type EnvFromSource = Infer<typeof EnvFromSource>;

const EnvVarSource = struct(
  'core/v1.EnvVarSource',
  {
    fieldRef: field(1, optional(ObjectFieldSelector), { doc: 'A field of the pod itself.' }),
    resourceFieldRef: field(2, optional(ResourceFieldSelector), {
      doc: 'What a container asks for or is limited to.',
    }),
    configMapKeyRef: field(3, optional(ConfigMapKeySelector), { doc: 'An entry of a ConfigMap.' }),
    secretKeyRef: field(4, optional(SecretKeySelector), { doc: 'An entry of a Secret.' }),
  },
  { doc: 'Where the value of a variable comes from: one of these.' },
);

export const EnvVar = struct(
  'core/v1.EnvVar',
  {
    name: field(1, string, { required: true, doc: 'The name of the variable.' }),
    value: field(2, string, {
      doc: 'Its value, in which `$(NAME)` stands for the variable NAME and `$$` for a dollar sign.',
    }),
    valueFrom: field(3, optional(EnvVarSource), { doc: 'Where the value comes from, instead of `value`.' }),
  },
  { doc: 'A variable in the environment of a container.' },
);
export type EnvVar = Infer<typeof EnvVar>;
