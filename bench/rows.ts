// The rows of the benchmark report: title, unit, aim and method of each measurement.
import { concurrentUpdates, pacedWritesPerSecond, watchesPerConnection } from './loads/fan-out.ts';
import { writesDuringPages } from './loads/http2-groups.ts';
import type { Usage } from './machine/usage.ts';
import type { Scale } from './scale.ts';

/** A row of the results table. */
export interface Row {
  readonly name: RowName;
  readonly title: string;
  readonly unit: string;
  readonly better: 'more' | 'less';
  /** `times` better than the reference, or an absolute value: `below` a maximum or at `least` a minimum. */
  readonly aim?: { readonly times: number } | { readonly below: number } | { readonly least: number };
  readonly method: string;
}

/** One measurement of one row on one side. */
export interface Sample extends Partial<Usage> {
  readonly value: number;
  readonly p50Milliseconds?: number;
  readonly p99Milliseconds?: number;
  readonly bytesPerResponse?: number;
  readonly failures?: number;
  readonly anonymousMB?: number;
  readonly mappedMB?: number;
  /** The part of `value` that is etcd's. */
  readonly etcdMB?: number;
}

const lists = { unit: 'lists/s', better: 'more', aim: { times: 5 } } as const;
/** No aim: objects are stored as JSON and are converted for every other encoding. */
const otherEncodings = { unit: 'lists/s', better: 'more' } as const;
const writes = { unit: 'writes/s', better: 'more', aim: { times: 3 } } as const;
const memory = { unit: 'MB', better: 'less', aim: { times: 3 } } as const;
const start = { unit: 's', better: 'less', aim: { below: 0.5 } } as const;

export const rowNames = [
  'get',
  'list-all',
  'list-page',
  'list-label',
  'list-protobuf',
  'list-table',
  'list-yaml',
  'create',
  'update',
  'delete',
  'update-deployment',
  'patch-label',
  'apply-same',
  'apply-change',
  'create-policies',
  'create-no-policies',
  'create-policies-ratio',
  'get-filters',
  'get-no-filters',
  'get-filters-ratio',
  'fan-out',
  'fan-out-delay',
  'h2-get-1',
  'h2-get-100',
  'h2-get-16x8',
  'h2-page-1',
  'h2-page-100',
  'h2-page-16x8',
  'h2-create-1',
  'h2-create-100',
  'h2-create-16x8',
  'h2-update-1',
  'h2-update-100',
  'h2-update-16x8',
  'lease-renewals',
  'pod-churn',
  'h2-fan-out',
  'h2-fan-out-delay',
  'watch-selectors',
  'pages-while-writing',
  'start-empty',
  'start-full',
  'memory-idle',
  'memory-full',
  'memory-reopened',
  'controllers-idle-cpu',
  'controllers-memory',
  'crds-create',
  'crds-memory',
  'crds-start',
  'crds-reopened',
] as const;
export type RowName = (typeof rowNames)[number];

const overDeployments = (scale: Scale): string =>
  `64 connections write ${count(scale.deployments)} Deployments with two containers in order`;

const count = (value: number): string => value.toLocaleString('en-US');

export function rowsOf(scale: Scale): readonly Row[] {
  const [listObjects, memoryObjects, watchers] = [scale.listObjects, scale.memoryObjects, scale.watchers].map(
    count,
  );
  const kinds = count(scale.customKinds);
  return [
    {
      name: 'get',
      title: 'get one object',
      unit: 'gets/s',
      better: 'more',
      aim: { times: 5 },
      method: '64 connections get the objects of the list in order.',
    },
    {
      name: 'list-all',
      title: `list ${listObjects}, whole`,
      ...lists,
      method: '4 connections list the whole collection, without compression, as a consistent read.',
    },
    {
      name: 'list-page',
      title: `list ${listObjects}, limit=500`,
      ...lists,
      method: '16 connections get the first page of 500 objects.',
    },
    {
      name: 'list-label',
      title: `list ${listObjects} by label`,
      ...lists,
      method: '8 connections list the tenth of the collection with one label value.',
    },
    {
      name: 'list-protobuf',
      title: `list ${listObjects} as Protobuf`,
      ...otherEncodings,
      method: '4 connections list the whole collection as Protobuf.',
    },
    {
      name: 'list-table',
      title: `list ${listObjects} as a Table`,
      ...otherEncodings,
      method:
        '4 connections list the whole collection as a Table with the metadata of every object, as kubectl get does.',
    },
    {
      name: 'list-yaml',
      title: `list ${listObjects} as YAML`,
      ...otherEncodings,
      method: '4 connections list the whole collection as YAML.',
    },
    {
      name: 'create',
      title: 'create',
      ...writes,
      method: '64 connections create objects with unique names.',
    },
    {
      name: 'update',
      title: 'update',
      ...writes,
      method:
        '64 connections update the objects of the list in order, without a resourceVersion; every write changes the object.',
    },
    {
      name: 'delete',
      title: 'delete',
      ...writes,
      method: '64 connections delete all objects that the create load of the same round created.',
    },
    {
      name: 'update-deployment',
      title: 'update of a Deployment',
      ...writes,
      method: `${overDeployments(scale)}; a PUT of the whole object without a resourceVersion changes one field.`,
    },
    {
      name: 'patch-label',
      title: 'JSON patch of a label',
      ...writes,
      method: `${overDeployments(scale)}; each patch changes the value of one label.`,
    },
    {
      name: 'apply-same',
      title: 'apply unchanged',
      ...writes,
      method: `${overDeployments(scale)}; the field manager that created them applies the same configuration again.`,
    },
    {
      name: 'apply-change',
      title: 'apply with one change',
      ...writes,
      method: `${overDeployments(scale)}; the field manager that created them applies them with another image.`,
    },
    {
      name: 'create-policies',
      title: 'create with 20 policies',
      unit: 'writes/s',
      better: 'more',
      method:
        '64 connections create objects with unique names, which 20 ValidatingAdmissionPolicies with one expression each admit.',
    },
    {
      name: 'create-no-policies',
      title: 'create without policies',
      unit: 'writes/s',
      better: 'more',
      method: 'The same without bindings of the policies, alternating with the previous row.',
    },
    {
      name: 'create-policies-ratio',
      title: 'create rate with policies',
      unit: '%',
      better: 'more',
      aim: { least: 80 },
      method:
        'The rate with 20 policies in percent of the rate without, per round: at 80 % a create takes a quarter longer.',
    },
    {
      name: 'get-filters',
      title: 'get with all filters',
      unit: 'gets/s',
      better: 'more',
      method:
        '64 connections over TLS, with the token of a user whom one of 500 RoleBindings allows the request, with priority and fairness, and with an audit log at level Metadata.',
    },
    {
      name: 'get-no-filters',
      title: 'get without filters',
      unit: 'gets/s',
      better: 'more',
      method:
        '64 connections over plain HTTP without credentials to another Orch with AlwaysAllow, without priority and fairness and without an audit log, alternating with the previous row in many short rounds.',
    },
    {
      name: 'get-filters-ratio',
      title: 'get rate with filters',
      unit: '%',
      better: 'more',
      aim: { least: 70 },
      method: 'The rate with all filters in percent of the rate without, per round.',
    },
    {
      name: 'fan-out',
      title: `watch fan-out, ${watchers} watchers`,
      unit: 'events/s',
      better: 'more',
      aim: { times: 3 },
      method: `${watchers} connections watch one namespace; ${concurrentUpdates} updates are in flight, and each is followed by the next when every watcher has received its event. Events that the watchers read per second.`,
    },
    {
      name: 'fan-out-delay',
      title: `watch delay, p99 at ${count(scale.watchers * pacedWritesPerSecond)} events/s`,
      unit: 'ms',
      better: 'less',
      method: `The same watchers at ${pacedWritesPerSecond} updates per second: the time from sending the update until a watcher has read the event, over all watchers and events.`,
    },
    ...http2Rows(scale),
    {
      name: 'start-empty',
      title: 'start to ready, empty',
      ...start,
      method:
        'From starting the processes, without data and with existing certificates, until /readyz responds with 200.',
    },
    {
      name: 'start-full',
      title: `start to ready, ${memoryObjects} objects`,
      ...start,
      method: 'The same with the data of the memory measurement; the files are in the page cache.',
    },
    {
      name: 'memory-idle',
      title: 'memory, idle and empty',
      ...memory,
      method: 'Resident memory of all processes of a side, idle after an empty start.',
    },
    {
      name: 'memory-full',
      title: `memory, ${memoryObjects} objects written`,
      ...memory,
      method: `The same after ${memoryObjects} objects were created through 64 connections.`,
    },
    {
      name: 'memory-reopened',
      title: `memory, ${memoryObjects} objects reopened`,
      ...memory,
      method: 'The same after a restart with these objects, before any request for them.',
    },
    {
      name: 'controllers-idle-cpu',
      title: 'controllers, idle CPU',
      unit: '% of a core',
      better: 'less',
      aim: { below: 1 },
      method: `CPU time of an empty server with all controllers over ${2 * scale.settleSeconds} s, minus that of a server without controllers at the same time.`,
    },
    {
      name: 'controllers-memory',
      title: 'controllers, idle memory',
      unit: 'MB',
      better: 'less',
      aim: { below: 40 },
      method: 'The difference in resident memory of the same two servers at the end of that time.',
    },
    {
      name: 'crds-create',
      title: `create ${kinds} CRDs`,
      unit: 'CRDs/s',
      better: 'more',
      aim: { times: 3 },
      method: `8 connections each create a CustomResourceDefinition of about 14 KB in a group of its own and wait until its objects can be listed and discovery contains it; ${kinds} in total.`,
    },
    {
      name: 'crds-memory',
      title: `memory per CRD, ${kinds} created`,
      unit: 'KB',
      better: 'less',
      aim: { below: 200 },
      method:
        'The growth of resident memory of all processes of a side since it was empty, divided by the number of CRDs, after requests for discovery, the OpenAPI v3 index, one of its documents and the objects of every tenth CRD.',
    },
    {
      name: 'crds-start',
      title: `start to ready, ${kinds} CRDs`,
      unit: 's',
      better: 'less',
      method: 'From starting the processes with these CRDs until /readyz responds with 200.',
    },
    {
      name: 'crds-reopened',
      title: `memory per CRD, ${kinds} reopened`,
      unit: 'KB',
      better: 'less',
      aim: { below: 200 },
      method: 'The same after a restart.',
    },
  ];
}

/** Of the rows over HTTP/2: the connections and concurrent requests of each, in titles and methods. */
const http2Loads = [
  { shape: '1', title: '1 stream', method: 'One connection with one request at a time' },
  { shape: '100', title: '100 streams', method: 'One connection with 100 concurrent requests' },
  { shape: '16x8', title: '16 × 8 streams', method: '16 connections with 8 concurrent requests each' },
] as const;

function http2Rows(scale: Scale): Row[] {
  const several = http2Loads.at(-1)!.method;
  return [
    ...http2Loads.map(
      ({ shape, title, method }): Row => ({
        name: `h2-get-${shape}`,
        title: `HTTP/2 get, ${title}`,
        ...{ unit: 'gets/s', better: 'more', aim: { times: 5 } },
        method: `${method} (h2load) get the objects of the list in order.`,
      }),
    ),
    ...http2Loads.map(
      ({ shape, title, method }): Row => ({
        name: `h2-page-${shape}`,
        title: `HTTP/2 list, limit=500, ${title}`,
        ...lists,
        method: `${method} (h2load) get the first page of 500 objects.`,
      }),
    ),
    ...http2Loads.map(
      ({ shape, title, method }): Row => ({
        name: `h2-create-${shape}`,
        title: `HTTP/2 create, ${title}`,
        ...writes,
        method: `${method} create objects with unique names.`,
      }),
    ),
    ...http2Loads.map(
      ({ shape, title, method }): Row => ({
        name: `h2-update-${shape}`,
        title: `HTTP/2 update, ${title}`,
        ...writes,
        method: `${method} update the objects of the list in order, without a resourceVersion.`,
      }),
    ),
    {
      name: 'lease-renewals',
      title: `renew ${count(scale.leases)} Leases`,
      ...{ unit: 'renewals/s', better: 'more', aim: { times: 3 } },
      method: `HTTP/2. ${several} update Leases as kubelets do: with the resourceVersion of the last response and a new renewTime.`,
    },
    {
      name: 'pod-churn',
      title: 'pod churn',
      ...{ unit: 'pods/s', better: 'more', aim: { times: 3 } },
      method: `HTTP/2. ${several} create a pod, bind it to a node, report it as running (a strategic merge patch of its status) and delete it, one pod after another: four writes per pod. The CPU time is that of all four.`,
    },
    {
      name: 'h2-fan-out',
      title: `HTTP/2 watch fan-out, ${count(scale.watchers)} watchers`,
      ...{ unit: 'events/s', better: 'more', aim: { times: 3 } },
      method: `As the row over HTTP/1.1, with ${watchesPerConnection} watches per connection.`,
    },
    {
      name: 'h2-fan-out-delay',
      title: `HTTP/2 watch delay, p99 at ${count(scale.watchers * pacedWritesPerSecond)} events/s`,
      ...{ unit: 'ms', better: 'less' },
      method: 'As the row over HTTP/1.1, with the watchers of the previous row.',
    },
    {
      name: 'watch-selectors',
      title: `writes with ${count(scale.selectorWatchers)} selective watches`,
      ...{ unit: 'writes/s', better: 'more', aim: { times: 3 } },
      method: `HTTP/2. ${count(scale.selectorWatchers)} watches of one namespace with a label selector each, ${watchesPerConnection} per connection. Each update matches one of them; ${concurrentUpdates} updates are in flight, and each is followed by the next when its event has been received.`,
    },
    {
      name: 'pages-while-writing',
      title: `pages of ${count(scale.largeListObjects)} during writes`,
      ...{ unit: 'pages/s', better: 'more', aim: { times: 5 } },
      method: `HTTP/2. 4 connections with 2 concurrent requests each walk through a list in pages of 500, with continue tokens, while another connection updates its objects at ${writesDuringPages} writes per second. The CPU time is that of both.`,
    },
  ];
}

/** The samples of each row and side, one per round. */
export class Results {
  readonly #samples = new Map<string, Sample[]>();

  add(row: RowName, side: string, sample: Sample): void {
    const key = `${row} ${side}`;
    const samples = this.#samples.get(key);
    if (samples) samples.push(sample);
    else this.#samples.set(key, [sample]);
  }

  /** The maximum CPU usage of other processes during a measurement, in cores. */
  disturbance(): number {
    const samples = [...this.#samples.values()].flat();
    return Math.max(0, ...samples.map((sample) => sample.otherCores ?? 0));
  }

  of(row: string, side: string): readonly Sample[] {
    return this.#samples.get(`${row} ${side}`) ?? [];
  }
}
