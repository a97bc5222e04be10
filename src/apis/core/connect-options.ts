// Options of the connect subresources (exec, attach, portforward, proxy) and of pods/log: schemas of the query parameters.
import { typeMeta } from '../../kind/meta/type-meta.ts';
import { list } from '../../schema/collections.ts';
import { bool, int32, int64, string } from '../../schema/scalars.ts';
import { field, optional, type Struct, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';

/** Clients send these options in the query string, never in a request body. */

const container = (number: number) =>
  field(number, string, { doc: 'Which container; may be left out where there is only one.' });

const streams = {
  stdin: field(1, bool, { doc: 'Whether the client sends input.' }),
  stdout: field(2, bool, { doc: 'Whether the client is sent the output.' }),
  stderr: field(3, bool, { doc: 'Whether the client is sent the error output.' }),
  tty: field(4, bool, { doc: 'Whether the streams are those of a terminal.' }),
  container: container(5),
};

const PodAttachOptions = struct(
  'core/v1.PodAttachOptions',
  { ...typeMeta, ...streams },
  { doc: 'How to attach to a container that runs.' },
);

const PodExecOptions = struct(
  'core/v1.PodExecOptions',
  {
    ...typeMeta,
    ...streams,
    command: field(6, list(string, { type: 'atomic' }), {
      alwaysWritten: true,
      doc: 'The command and its arguments, one by one. No shell looks at them.',
    }),
  },
  { doc: 'How to run a command in a container.' },
);

const PodPortForwardOptions = struct(
  'core/v1.PodPortForwardOptions',
  {
    ...typeMeta,
    ports: field(1, list(int32, { type: 'atomic' }), {
      doc: 'The ports to forward to. Needed where the connection is a WebSocket.',
    }),
  },
  { doc: 'How to forward ports of a pod.' },
);

const PodLogOptions = struct(
  'core/v1.PodLogOptions',
  {
    ...typeMeta,
    container: container(1),
    follow: field(2, bool, { doc: 'Whether to go on with what is logged from now on.' }),
    previous: field(3, bool, { doc: "Whether to show the log of the container's last run." }),
    sinceSeconds: field(4, optional(int64), { doc: 'Leave out what was logged longer ago than this.' }),
    sinceTime: field(5, optional(time), { doc: 'Leave out what was logged before this moment.' }),
    timestamps: field(6, bool, { doc: 'Whether to begin every line with the time it was logged.' }),
    tailLines: field(7, optional(int64), { doc: 'How many lines to show, counted from the end.' }),
    limitBytes: field(8, optional(int64), {
      doc: 'How many bytes to send at most; the last line may be cut.',
    }),
    insecureSkipTLSVerifyBackend: field(9, bool, {
      doc: "Whether to talk to the node without checking its certificate. Somebody in between could then write the log's lines.",
    }),
    stream: field(10, optional(string), {
      doc: 'Which output to show: All, Stdout or Stderr. One alone cannot be had with tailLines.',
    }),
  },
  { doc: "How to read a container's log." },
);

const proxyOptions = (kind: string, doc: string) =>
  struct(
    `core/v1.${kind}`,
    { ...typeMeta, path: field(1, string, { doc: 'The path to ask for, with its query.' }) },
    { doc },
  );

const PodProxyOptions = proxyOptions('PodProxyOptions', 'How to talk to a pod.');
const ServiceProxyOptions = proxyOptions('ServiceProxyOptions', 'How to talk to a service.');
const NodeProxyOptions = proxyOptions('NodeProxyOptions', 'How to talk to a node.');

/** Options schemas by the kind that discovery reports for the subresource. */
export const connectOptions: Readonly<Record<string, Struct<unknown>>> = {
  NodeProxyOptions,
  // Discovery reports the kind of pods/log as Pod.
  Pod: PodLogOptions,
  PodAttachOptions,
  PodExecOptions,
  PodPortForwardOptions,
  PodProxyOptions,
  ServiceProxyOptions,
};
