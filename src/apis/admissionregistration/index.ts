// The kinds of the API group admissionregistration.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { mutatingadmissionpolicies } from './mutatingadmissionpolicy.ts';
import { mutatingadmissionpolicybindings } from './mutatingadmissionpolicybinding.ts';
import { mutatingwebhookconfigurations } from './mutatingwebhookconfiguration.ts';
import {
  validatingadmissionpolicies,
  validatingadmissionpoliciesV1beta1,
} from './validatingadmissionpolicy.ts';
import {
  validatingadmissionpolicybindings,
  validatingadmissionpolicybindingsV1beta1,
} from './validatingadmissionpolicybinding.ts';
import { validatingwebhookconfigurations } from './validatingwebhookconfiguration.ts';

export const admissionregistrationKinds = (context: KindContext): ResourceDefinition[] => [
  mutatingwebhookconfigurations(context),
  validatingadmissionpolicies(context),
  validatingadmissionpolicybindings(context),
  validatingwebhookconfigurations(context),
  validatingadmissionpoliciesV1beta1(context),
  validatingadmissionpolicybindingsV1beta1(context),
  mutatingadmissionpolicies(context),
  mutatingadmissionpolicybindings(context),
];
