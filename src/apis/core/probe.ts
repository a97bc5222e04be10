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
      doc: 'The command and its arguments, run without a shell. Exit code 0 is success.',
    }),
  },
  { doc: 'Runs a command in the container.' },
);

const HTTPHeader = struct(
  'core/v1.HTTPHeader',
  {
    name: field(1, string, { required: true, doc: 'The name of the header.' }),
    value: field(2, string, { required: true, doc: 'The value of the header.' }),
  },
  { doc: 'A header of an HTTP probe request.' },
);

export const HTTPGetAction = struct(
  'core/v1.HTTPGetAction',
  {
    path: field(1, string, { doc: 'The path of the request. Defaults to `/`.' }),
    port: field(2, intOrString, { required: true, doc: 'The number or name of a container port.' }),
    host: field(3, string, { doc: 'The host to connect to. Defaults to the IP address of the pod.' }),
    scheme: field(4, uriScheme, { doc: 'HTTP (the default) or HTTPS.' }),
    httpHeaders: field(5, list(HTTPHeader, { type: 'atomic' }), { doc: 'Headers of the request.' }),
  },
  {
    doc: 'Sends an HTTP GET request. Status codes from 200 to 399 are success.',
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
    port: field(1, intOrString, { required: true, doc: 'The number or name of a container port.' }),
    host: field(2, string, { doc: 'The host to connect to. Defaults to the IP address of the pod.' }),
  },
  { doc: 'Opens a TCP connection.' },
);

const GRPCAction = struct(
  'core/v1.GRPCAction',
  {
    port: field(1, int32, { required: true, doc: 'The port number of the gRPC service.' }),
    service: field(2, optional(string), {
      omitEmpty: false,
      default: '',
      isDefaultPublished: true,
      doc: 'The service name in the HealthCheckRequest. Empty by default.',
    }),
  },
  { doc: 'Calls the gRPC health checking service.' },
);

export const ProbeHandler = struct(
  'core/v1.ProbeHandler',
  {
    exec: field(1, optional(ExecAction), { doc: 'Runs a command in the container.' }),
    httpGet: field(2, optional(HTTPGetAction), { doc: 'Sends an HTTP GET request.' }),
    tcpSocket: field(3, optional(TCPSocketAction), { doc: 'Opens a TCP connection.' }),
    grpc: field(4, optional(GRPCAction), { doc: 'Calls the gRPC health checking service.' }),
  },
  { doc: 'The action of a probe: exactly one of the fields is set.' },
);
export type ProbeHandler = Infer<typeof ProbeHandler>;

export const Probe = struct(
  'core/v1.Probe',
  {
    ...inline(1, ProbeHandler),
    initialDelaySeconds: field(2, int32, {
      doc: 'Seconds after the start of the container before the first probe.',
    }),
    timeoutSeconds: field(3, int32, { doc: 'Seconds after which the probe times out. Defaults to 1.' }),
    periodSeconds: field(4, int32, { doc: 'Seconds between probes. Defaults to 10.' }),
    successThreshold: field(5, int32, {
      doc: 'Consecutive successes after a failure for the probe to count as successful. Must be 1 for liveness and startup probes.',
    }),
    failureThreshold: field(6, int32, {
      doc: 'Consecutive failures for the probe to count as failed. Defaults to 3.',
    }),
    terminationGracePeriodSeconds: field(7, optional(int64), {
      doc: 'Seconds that the container has to terminate after a failed probe. Overrides the grace period of the pod.',
    }),
  },
  {
    doc: 'A periodic health check of a container.',
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
  { seconds: field(1, int64, { required: true, doc: 'The number of seconds to sleep.' }) },
  { doc: 'Sleeps for a number of seconds.' },
);

export const LifecycleHandler = struct(
  'core/v1.LifecycleHandler',
  {
    exec: field(1, optional(ExecAction), { doc: 'Runs a command in the container.' }),
    httpGet: field(2, optional(HTTPGetAction), { doc: 'Sends an HTTP GET request.' }),
    tcpSocket: field(3, optional(TCPSocketAction), {
      doc: 'Deprecated and unsupported: the hook fails at run time.',
    }),
    sleep: field(4, optional(SleepAction), { doc: 'Sleeps for a number of seconds.' }),
  },
  { doc: 'The action of a lifecycle hook: exactly one of the fields is set.' },
);
export type LifecycleHandler = Infer<typeof LifecycleHandler>;

export const Lifecycle = struct(
  'core/v1.Lifecycle',
  {
    postStart: field(1, optional(LifecycleHandler), {
      doc: 'Runs right after the container is created. If it fails, the container is terminated.',
    }),
    preStop: field(2, optional(LifecycleHandler), {
      doc: 'Runs before the container gets its stop signal, within the termination grace period.',
    }),
    stopSignal: field(3, optional(signal), {
      doc: "The stop signal of the container, instead of the image's. Requires `spec.os.name` of the pod.",
    }),
  },
  { doc: 'Actions on start and termination of a container.' },
);
export type Lifecycle = Infer<typeof Lifecycle>;
