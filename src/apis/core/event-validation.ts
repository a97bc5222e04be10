// Event: validation for core/v1 and events.k8s.io/v1, which store the same objects. Dialect: rules that differ between
// Kubernetes' and Orch's own API.

import type { Dialect } from '../../dialect/dialect.ts';
import { addErrors, type FieldError, invalid, required } from '../../errors/field-error.ts';
import { qualifiedName } from '../../schema/names.ts';
import type { Event } from './event.ts';

const maxShortTextLength = 128;
const maxMessageLength = 1024;

/**
 * Validates an event of either version. Events with an `eventTime` follow the stricter rules of events.k8s.io.
 * `controllerField` is this version's field name of the reporting controller.
 */
export function validateEvent(event: Event, controllerField: string, dialect: Dialect): FieldError[] {
  const errors: FieldError[] = [];
  const { namespace = '' } = event.metadata;
  const objectNamespace = event.involvedObject.namespace ?? '';
  const namespaceMismatch = invalid(
    'involvedObject.namespace',
    objectNamespace,
    'does not match event.namespace',
  );
  if (!event.eventTime) {
    // Events about cluster-scoped objects are stored in namespace `default`.
    const expectedNamespace = objectNamespace === '' ? 'default' : objectNamespace;
    return namespace === expectedNamespace ? errors : [namespaceMismatch];
  }
  if (objectNamespace === '' && namespace !== 'default' && namespace !== dialect.systemNamespace)
    errors.push(namespaceMismatch);
  const controller = event.reportingComponent;
  if (controller === '') errors.push(required(controllerField));
  addErrors(
    errors,
    qualifiedName(controller).map((problem) => invalid(controllerField, controller, problem)),
  );
  const lengthOf = dialect.rules.eventLimitsCountCharacters ? countCharacters : Buffer.byteLength;
  addErrors(errors, validateShortText('reportingInstance', event.reportingInstance, lengthOf));
  addErrors(errors, validateShortText('action', event.action ?? '', lengthOf));
  addErrors(errors, validateShortText('reason', event.reason ?? '', lengthOf));
  // Counts bytes, although the message says characters.
  if (Buffer.byteLength(event.message ?? '') > maxMessageLength) {
    errors.push(invalid('message', '', `can have at most ${maxMessageLength} characters`));
  }
  return errors;
}

const countCharacters = (text: string) => [...text].length;

function validateShortText(field: string, value: string, lengthOf: (text: string) => number): FieldError[] {
  if (value === '') return [required(field)];
  if (lengthOf(value) <= maxShortTextLength) return [];
  return [invalid(field, '', `can have at most ${maxShortTextLength} characters`)];
}
