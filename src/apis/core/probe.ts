// Probe and Lifecycle: schemas.
import { list } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
import { int32, int64, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import { signal } from './signal.ts';
import { uriScheme } from './uri-scheme.ts';

const ExecAction = struct(
  'core/v1.ExecAction',
  {
    command: field(1, list(string, { type: 'atomic' }), {
      doc: 'The program and its arguments. No shell is around it; ending with 0 is success.',
    }),
  },
  { doc: 'Runs a program in the container.' },
);

const HTTPHeader = struct(
  'core/v1.HTTPHeader',
  {
    name: field(1, string, { required: true, doc: 'The name of the header.' }),
    value: field(2, string, { required: true, doc: 'Its value.' }),
  },
  { doc: 'A header of a request.' },
);

export const HTTPGetAction = struct(
  'core/v1.HTTPGetAction',
  {
    path: field(1, string, { doc: 'The path to ask for, `/` by default.' }),
    port: field(2, intOrString, { required: true, doc: "The port's number, or its name in the container." }),
    host: field(3, string, { doc: "The host to ask, by default the pod's address." }),
    scheme: field(4, uriScheme, { doc: 'HTTP (the default) or HTTPS.' }),
    httpHeaders: field(5, list(HTTPHeader, { type: 'atomic' }), { doc: 'Headers to send.' }),
  },
  {
    doc: 'Makes an HTTP request. An answer from 200 to 399 is success.',
    defaults(action) {
      action.path ||= '/';
      action.scheme ||= 'HTTP';
    },
  },
);
export type HTTPGetAction = Infer<typeof HTTPGetAction>;

const TCPSocketAction = struct(
  'core/v1.TCPSocketAction',
  {
    port: field(1, intOrString, { required: true, doc: "The port's number, or its name in the container." }),
    host: field(2, string, { doc: "The host to connect to, by default the pod's address." }),
  },
  { doc: 'Opens a connection.' },
);

const GRPCAction = struct(
  'core/v1.GRPCAction',
  {
    port: field(1, int32, { required: true, doc: 'The number of the port.' }),
    service: field(2, optional(string), {
      alwaysWritten: true,
      default: '',
      announced: true,
      doc: 'The service whose health is asked for; none by default.',
    }),
  },
  { doc: 'Asks the gRPC health service.' },
);

export const ProbeHandler = struct(
  'core/v1.ProbeHandler',
  {
    exec: field(1, optional(ExecAction), { doc: 'Run a program in the container.' }),
    httpGet: field(2, optional(HTTPGetAction), { doc: 'Make an HTTP request.' }),
    tcpSocket: field(3, optional(TCPSocketAction), { doc: 'Open a connection.' }),
    grpc: field(4, optional(GRPCAction), { doc: 'Ask the gRPC health service.' }),
  },
  { doc: 'How a container is probed: one of these.' },
);
export type ProbeHandler = Infer<typeof ProbeHandler>;

export const Probe = struct(
  'core/v1.Probe',
  {
    ...inline(1, ProbeHandler),
    initialDelaySeconds: field(2, int32, { doc: 'How long after its start a container is first probed.' }),
    timeoutSeconds: field(3, int32, { doc: 'How long a probe may take, 1 by default.' }),
    periodSeconds: field(4, int32, { doc: 'How often it is probed: every 10 seconds by default.' }),
    successThreshold: field(5, int32, {
      doc: 'How many successes in a row make up for a failure. Must be 1 for liveness and startup.',
    }),
    failureThreshold: field(6, int32, { doc: 'How many failures in a row count as one, 3 by default.' }),
    terminationGracePeriodSeconds: field(7, optional(int64), {
      doc: "How long the container has to end after a failure, instead of the pod's own time.",
    }),
  },
  {
    doc: 'A check that is repeated while a container runs.',
    defaults(probe) {
      probe.timeoutSeconds ||= 1;
      probe.periodSeconds ||= 10;
      probe.successThreshold ||= 1;
      probe.failureThreshold ||= 3;
    },
  },
);
export type Probe = Infer<typeof Probe>;

const SleepAction = struct(
  'core/v1.SleepAction',
  { seconds: field(1, int64, { required: true, doc: 'How long.' }) },
  { doc: 'Waits.' },
);

export const LifecycleHandler = struct(
  'core/v1.LifecycleHandler',
  {
    exec: field(1, optional(ExecAction), { doc: 'Run a program in the container.' }),
    httpGet: field(2, optional(HTTPGetAction), { doc: 'Make an HTTP request.' }),
    tcpSocket: field(3, optional(TCPSocketAction), { doc: 'Deprecated: it fails when its time comes.' }),
    sleep: field(4, optional(SleepAction), { doc: 'Wait.' }),
  },
  { doc: 'What is done: one of these.' },
);
export type LifecycleHandler = Infer<typeof LifecycleHandler>;

export const Lifecycle = struct(
  'core/v1.Lifecycle',
  {
    postStart: field(1, optional(LifecycleHandler), {
      doc: 'Done right after the start; the container is ended if it fails.',
    }),
    preStop: field(2, optional(LifecycleHandler), {
      doc: 'Done before the container is told to end, within the time that it has for that.',
    }),
    stopSignal: field(3, optional(signal), {
      doc: "The signal that tells it to end, instead of the image's. The pod must name its operating system.",
    }),
  },
  { doc: 'What is done at the start and the end of a container.' },
);
export type Lifecycle = Infer<typeof Lifecycle>;
