import { list } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
import { int32, int64, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import { signal } from './signal.ts';
import { uriScheme } from './uri-scheme.ts';

export const ExecAction = struct('core/v1.ExecAction', {
  command: field(1, list(string, { type: 'atomic' })),
});
export type ExecAction = Infer<typeof ExecAction>;

export const HTTPHeader = struct('core/v1.HTTPHeader', {
  name: field(1, string, { required: true }),
  value: field(2, string, { required: true }),
});
export type HTTPHeader = Infer<typeof HTTPHeader>;

export const HTTPGetAction = struct('core/v1.HTTPGetAction', {
  path: field(1, string),
  port: field(2, intOrString, { required: true }),
  host: field(3, string),
  scheme: field(4, uriScheme),
  httpHeaders: field(5, list(HTTPHeader, { type: 'atomic' })),
});
export type HTTPGetAction = Infer<typeof HTTPGetAction>;

export const TCPSocketAction = struct('core/v1.TCPSocketAction', {
  port: field(1, intOrString, { required: true }),
  host: field(2, string),
});
export type TCPSocketAction = Infer<typeof TCPSocketAction>;

export const GRPCAction = struct('core/v1.GRPCAction', {
  port: field(1, int32, { required: true }),
  service: field(2, optional(string), { alwaysWritten: true }),
});
export type GRPCAction = Infer<typeof GRPCAction>;

export const ProbeHandler = struct('core/v1.ProbeHandler', {
  exec: field(1, optional(ExecAction)),
  httpGet: field(2, optional(HTTPGetAction)),
  tcpSocket: field(3, optional(TCPSocketAction)),
  grpc: field(4, optional(GRPCAction)),
});
export type ProbeHandler = Infer<typeof ProbeHandler>;

export const Probe = struct('core/v1.Probe', {
  ...inline(1, ProbeHandler),
  initialDelaySeconds: field(2, int32),
  timeoutSeconds: field(3, int32),
  periodSeconds: field(4, int32),
  successThreshold: field(5, int32),
  failureThreshold: field(6, int32),
  terminationGracePeriodSeconds: field(7, optional(int64)),
});
export type Probe = Infer<typeof Probe>;

export const SleepAction = struct('core/v1.SleepAction', {
  seconds: field(1, int64, { required: true }),
});
export type SleepAction = Infer<typeof SleepAction>;

export const LifecycleHandler = struct('core/v1.LifecycleHandler', {
  exec: field(1, optional(ExecAction)),
  httpGet: field(2, optional(HTTPGetAction)),
  tcpSocket: field(3, optional(TCPSocketAction)),
  sleep: field(4, optional(SleepAction)),
});
export type LifecycleHandler = Infer<typeof LifecycleHandler>;

export const Lifecycle = struct('core/v1.Lifecycle', {
  postStart: field(1, optional(LifecycleHandler)),
  preStop: field(2, optional(LifecycleHandler)),
  stopSignal: field(3, optional(signal)),
});
export type Lifecycle = Infer<typeof Lifecycle>;
