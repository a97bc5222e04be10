// Probe and Lifecycle: validation of probes, lifecycle hooks and stop signals.
import {
  addErrors,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { validatePortReference } from './container-ports-validation.ts';
import type { PodOS } from './pod-spec.ts';
import type { HTTPGetAction, Lifecycle, LifecycleHandler, Probe, ProbeHandler } from './probe.ts';
import { signal } from './signal.ts';

/** The pod's settings that probe and lifecycle validation depends on. */
export interface LifecycleContext {
  readonly context: KindContext;
  /** terminationGracePeriodSeconds of the pod. */
  readonly gracePeriodSeconds: number;
  readonly os: PodOS | undefined;
}

type Handler = ProbeHandler & LifecycleHandler;

const headerPattern = '[-A-Za-z0-9]+';
const headerName = new RegExp(`^${headerPattern}$`);

export function validateProbe(
  probe: Probe,
  purpose: 'liveness' | 'readiness' | 'startup',
  path: string,
  lifecycleContext: LifecycleContext,
): FieldError[] {
  const errors = validateHandler(probe, path, lifecycleContext);
  for (const field of [
    'initialDelaySeconds',
    'timeoutSeconds',
    'periodSeconds',
    'successThreshold',
    'failureThreshold',
  ] as const) {
    const value = probe[field] ?? 0;
    if (value < 0) errors.push(invalid(`${path}.${field}`, value, 'must be greater than or equal to 0'));
  }
  const { terminationGracePeriodSeconds: gracePeriod, successThreshold } = probe;
  const gracePath = `${path}.terminationGracePeriodSeconds`;
  if (gracePeriod !== undefined && gracePeriod <= 0)
    errors.push(invalid(gracePath, gracePeriod, 'must be greater than 0'));
  if (purpose === 'readiness') {
    if (gracePeriod !== undefined)
      errors.push(invalid(gracePath, gracePeriod, 'must not be set for readinessProbes'));
  } else if (successThreshold !== 1) {
    errors.push(invalid(`${path}.successThreshold`, successThreshold ?? 0, 'must be 1'));
  }
  return errors;
}

export function validateLifecycle(
  lifecycle: Lifecycle,
  path: string,
  lifecycleContext: LifecycleContext,
): FieldError[] {
  const { postStart, preStop, stopSignal } = lifecycle;
  return [
    ...(postStart ? validateHandler(postStart, `${path}.postStart`, lifecycleContext) : []),
    ...(preStop ? validateHandler(preStop, `${path}.preStop`, lifecycleContext) : []),
    ...(stopSignal === undefined
      ? []
      : validateStopSignal(stopSignal, `${path}.stopSignal`, lifecycleContext)),
  ];
}

function validateStopSignal(name: string, path: string, { os }: LifecycleContext): FieldError[] {
  if (!os) return [forbidden(path, 'may not be set for containers with empty `spec.os.name`')];
  const supported = stopSignalsOf(os.name);
  return !supported || supported.includes(name) ? [] : [notSupported(path, name, supported)];
}

/**
 * The stop signals that an operating system supports; undefined for another one, which validation of spec.os rejects.
 */
function stopSignalsOf(os: string): string[] | undefined {
  if (os === 'windows') return ['SIGKILL', 'SIGTERM'];
  return os === 'linux' ? [...(signal.values ?? [])].sort() : undefined;
}

/** Validates the first action that is set, and rejects further ones. */
function validateHandler(handler: Handler, path: string, lifecycleContext: LifecycleContext): FieldError[] {
  const errors: FieldError[] = [];
  let hasAction = false;
  const validateAction = <K extends keyof Handler>(
    name: K,
    validate: (action: NonNullable<Handler[K]>, fieldPath: string) => FieldError[],
  ) => {
    const action = handler[name];
    if (!action) return;
    const fieldPath = `${path}.${name}`;
    if (hasAction) errors.push(forbidden(fieldPath, 'may not specify more than 1 handler type'));
    else addErrors(errors, validate(action, fieldPath));
    hasAction = true;
  };
  validateAction('exec', ({ command = [] }, fieldPath) =>
    command.length === 0 ? [required(`${fieldPath}.command`)] : [],
  );
  validateAction('httpGet', validateHttpGet);
  validateAction('tcpSocket', ({ port = 0 }, fieldPath) => validatePortReference(port, `${fieldPath}.port`));
  validateAction('grpc', ({ port }, fieldPath) => validatePortReference(port, `${fieldPath}.port`));
  validateAction('sleep', ({ seconds }, fieldPath) => validateSleep(seconds, fieldPath, lifecycleContext));
  return hasAction ? errors : [required(path, 'must specify a handler type')];
}

function validateHttpGet(
  { path, port = 0, scheme, httpHeaders = [] }: HTTPGetAction,
  fieldPath: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (!path) errors.push(required(`${fieldPath}.path`));
  addErrors(errors, validatePortReference(port, `${fieldPath}.port`));
  if (scheme !== 'HTTP' && scheme !== 'HTTPS') {
    errors.push(notSupported(`${fieldPath}.scheme`, scheme ?? '', ['HTTP', 'HTTPS']));
  }
  for (const { name } of httpHeaders) {
    if (headerName.test(name)) continue;
    const detail =
      "a valid HTTP header must consist of alphanumeric characters or '-' " +
      `(e.g. 'X-Header-Name', regex used for validation is '${headerPattern}')`;
    errors.push(invalid(`${fieldPath}.httpHeaders`, name, detail));
  }
  return errors;
}

function validateSleep(
  seconds: number,
  path: string,
  { context, gracePeriodSeconds: gracePeriod }: LifecycleContext,
): FieldError[] {
  const isZeroAllowed = context.features.enabled('PodLifecycleSleepActionAllowZero');
  if (seconds <= gracePeriod && (seconds > 0 || (isZeroAllowed && seconds === 0))) return [];
  // The message says `less than`, although a sleep of exactly the grace period is valid.
  const upperBound = `less than terminationGracePeriodSeconds (${gracePeriod})`;
  const detail = isZeroAllowed
    ? `must be non-negative and ${upperBound}`
    : `must be greater than 0 and ${upperBound}. Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.`;
  return [invalid(path, seconds, detail)];
}
