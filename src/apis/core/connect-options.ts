// Options of the connect subresources (exec, attach, portforward, proxy) and of pods/log: schemas of the query
// parameters. Clients send these options in the query string, never in a request body.
import { typeMeta } from '../../kind/meta/type-meta.ts';
import { list } from '../../schema/collections.ts';
import { bool, int32, int64, string, time } from '../../schema/scalars.ts';
import { field, optional, type Struct, struct } from '../../schema/struct.ts';

const containerField = (fieldNumber: number) =>
  field(fieldNumber, string, { doc: 'The container. Optional if the pod has only one.' });

/** The fields of both exec and attach. */
const streamFields = {
  stdin: field(1, bool, { doc: 'Redirects standard input.' }),
  stdout: field(2, bool, { doc: 'Redirects standard output.' }),
  stderr: field(3, bool, { doc: 'Redirects standard error.' }),
  tty: field(4, bool, { doc: 'Allocates a terminal (TTY).' }),
  container: containerField(5),
};

const PodAttachOptions = struct(
  'core/v1.PodAttachOptions',
  { ...typeMeta, ...streamFields },
  { doc: 'The query options of attach: connects to a running container.' },
);

const PodExecOptions = struct(
  'core/v1.PodExecOptions',
  {
    ...typeMeta,
    ...streamFields,
    command: field(6, list(string, { type: 'atomic' }), {
      omitEmpty: false,
      doc: 'The command and its arguments. No shell interprets them.',
    }),
  },
  { doc: 'The query options of exec: runs a command in a container.' },
);

const PodPortForwardOptions = struct(
  'core/v1.PodPortForwardOptions',
  {
    ...typeMeta,
    ports: field(1, list(int32, { type: 'atomic' }), {
      doc: 'The ports to forward. Required over WebSocket.',
    }),
  },
  { doc: 'The query options of portforward: forwards ports of a pod.' },
);

const PodLogOptions = struct(
  'core/v1.PodLogOptions',
  {
    ...typeMeta,
    container: containerField(1),
    follow: field(2, bool, { doc: 'Streams new log lines until the client disconnects.' }),
    previous: field(3, bool, {
      doc: 'Returns the log of the previous, terminated instance of the container.',
    }),
    sinceSeconds: field(4, optional(int64), { doc: 'Returns only lines newer than this number of seconds.' }),
    sinceTime: field(5, optional(time), { doc: 'Returns only lines newer than this time.' }),
    timestamps: field(6, bool, { doc: 'Prefixes every line with its timestamp.' }),
    tailLines: field(7, optional(int64), { doc: 'The number of lines to return from the end of the log.' }),
    limitBytes: field(8, optional(int64), {
      doc: 'The maximum number of bytes to return. The last line may be truncated.',
    }),
    insecureSkipTLSVerifyBackend: field(9, bool, {
      doc: "Skips verification of the kubelet's serving certificate. An attacker on the network could then forge log lines.",
    }),
    stream: field(10, optional(string), {
      doc: 'The stream to return: All, Stdout or Stderr. Stdout and Stderr cannot be combined with tailLines.',
    }),
  },
  { doc: 'The query options for reading the log of a container.' },
);

const proxyOptions = (kind: string, doc: string) =>
  struct(
    `core/v1.${kind}`,
    { ...typeMeta, path: field(1, string, { doc: 'The URL path to proxy to, including the query.' }) },
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
