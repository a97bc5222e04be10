import { lanes, pacedWritesPerSecond } from './loads/fan-out.ts';
import type { Usage } from './machine/usage.ts';
import type { Scale } from './scale.ts';

/** One line of the table of results. */
export interface Row {
  readonly name: RowName;
  readonly title: string;
  readonly unit: string;
  readonly better: 'more' | 'less';
  /** `times` better than the reference, or a value to stay `below` or to reach at `least`, whatever the reference does. */
  readonly aim?: { readonly times: number } | { readonly below: number } | { readonly least: number };
  readonly how: string;
}

/** One measurement of one row on one side. */
export interface Sample extends Partial<Usage> {
  readonly value: number;
  readonly p50Milliseconds?: number;
  readonly p99Milliseconds?: number;
  readonly bytesPerAnswer?: number;
  readonly failures?: number;
  readonly anonymousMB?: number;
  readonly mappedMB?: number;
  /** What of all that is etcd's. */
  readonly etcdMB?: number;
}

const lists = { unit: 'lists/s', better: 'more', aim: { times: 5 } } as const;
/** Stored as JSON, objects are read and written anew for every other form: there is no aim but to know what it costs. */
const otherForms = { unit: 'lists/s', better: 'more' } as const;
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
  'create-policed',
  'create-free',
  'create-kept',
  'get-guarded',
  'get-open',
  'get-kept',
  'fan-out',
  'fan-out-delay',
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
  `64 connections, one after the other over ${count(scale.deployments)} Deployments with two containers`;

const count = (value: number): string => value.toLocaleString('en-US');

export function rowsOf(scale: Scale): readonly Row[] {
  const [listed, stored, watchers] = [scale.listObjects, scale.memoryObjects, scale.watchers].map(count);
  const kinds = count(scale.customKinds);
  return [
    {
      name: 'get',
      title: 'get one object',
      unit: 'gets/s',
      better: 'more',
      aim: { times: 5 },
      how: '64 connections read the objects of the list one after the other.',
    },
    {
      name: 'list-all',
      title: `list ${listed}, whole`,
      ...lists,
      how: '4 connections ask for the whole collection, without compression, as a consistent read.',
    },
    {
      name: 'list-page',
      title: `list ${listed}, limit=500`,
      ...lists,
      how: '16 connections ask for the first page of 500.',
    },
    {
      name: 'list-label',
      title: `list ${listed} by label`,
      ...lists,
      how: '8 connections ask for the tenth of the collection that has one label value.',
    },
    {
      name: 'list-protobuf',
      title: `list ${listed} as Protobuf`,
      ...otherForms,
      how: '4 connections ask for the whole collection as Protobuf.',
    },
    {
      name: 'list-table',
      title: `list ${listed} as a Table`,
      ...otherForms,
      how: '4 connections ask for the whole collection as a Table with the metadata of every object, as kubectl get does.',
    },
    {
      name: 'list-yaml',
      title: `list ${listed} as YAML`,
      ...otherForms,
      how: '4 connections ask for the whole collection as YAML.',
    },
    {
      name: 'create',
      title: 'create',
      ...writes,
      how: '64 connections create objects with names of their own.',
    },
    {
      name: 'update',
      title: 'update',
      ...writes,
      how: '64 connections replace the objects of the list one after the other, without a resourceVersion; every write changes the object.',
    },
    {
      name: 'delete',
      title: 'delete',
      ...writes,
      how: '64 connections delete what the create load of the same round has made, until nothing is left.',
    },
    {
      name: 'update-deployment',
      title: 'update of a Deployment',
      ...writes,
      how: `${overDeployments(scale)}; each is replaced whole, without a resourceVersion, and one field changes.`,
    },
    {
      name: 'patch-label',
      title: 'JSON patch of a label',
      ...writes,
      how: `${overDeployments(scale)}; each gets another value for one label.`,
    },
    {
      name: 'apply-same',
      title: 'apply unchanged',
      ...writes,
      how: `${overDeployments(scale)}; the manager who made them applies them again as they are.`,
    },
    {
      name: 'apply-change',
      title: 'apply with one change',
      ...writes,
      how: `${overDeployments(scale)}; the manager who made them applies them with another image.`,
    },
    {
      name: 'create-policed',
      title: 'create under 20 policies',
      unit: 'writes/s',
      better: 'more',
      how: '64 connections create objects with names of their own, which 20 ValidatingAdmissionPolicies with one expression each look at and let through.',
    },
    {
      name: 'create-free',
      title: 'create under none',
      unit: 'writes/s',
      better: 'more',
      how: 'The same while nothing binds the policies. In turn with the row before.',
    },
    {
      name: 'create-kept',
      title: 'share that the policies leave',
      unit: '%',
      better: 'more',
      aim: { least: 80 },
      how: 'Creates under 20 policies as a share of those under none, round by round: 80 % is a quarter more for each.',
    },
    {
      name: 'get-guarded',
      title: 'get through all filters',
      unit: 'gets/s',
      better: 'more',
      how: '64 connections over TLS, with the token of a user who has the right by one of 500 bindings; fairness is on, and every request is audited at Metadata.',
    },
    {
      name: 'get-open',
      title: 'get through none',
      unit: 'gets/s',
      better: 'more',
      how: '64 connections over plain HTTP without credentials to another Orch, which allows everything, and has neither fairness nor an audit log. In turn with the row before, in many short rounds.',
    },
    {
      name: 'get-kept',
      title: 'share that the filters leave',
      unit: '%',
      better: 'more',
      aim: { least: 70 },
      how: 'Gets through all filters as a share of those through none, round by round.',
    },
    {
      name: 'fan-out',
      title: `watch fan-out, ${watchers} watchers`,
      unit: 'events/s',
      better: 'more',
      aim: { times: 3 },
      how: `${watchers} connections watch one namespace; ${lanes} updates are on their way at a time, and the next one is sent when every watcher has had the one before. Events read by the watchers per second.`,
    },
    {
      name: 'fan-out-delay',
      title: `watch delay, p99 at ${count(scale.watchers * pacedWritesPerSecond)} events/s`,
      unit: 'ms',
      better: 'less',
      how: `The same watchers at a steady ${pacedWritesPerSecond} updates a second: from the moment the update is sent to the moment a watcher has read the event, over all watchers and events.`,
    },
    {
      name: 'start-empty',
      title: 'start to ready, empty',
      ...start,
      how: 'From starting the processes, with no data and the keys already made, until /readyz answers 200.',
    },
    {
      name: 'start-full',
      title: `start to ready, ${stored} objects`,
      ...start,
      how: 'The same on the data of the memory measurement; the files are in the page cache.',
    },
    {
      name: 'memory-idle',
      title: 'memory, idle and empty',
      ...memory,
      how: 'Resident pages of all processes of a side after an empty start, left alone for a while.',
    },
    {
      name: 'memory-full',
      title: `memory, ${stored} objects written`,
      ...memory,
      how: `The same after ${stored} objects were created through 64 connections.`,
    },
    {
      name: 'memory-reopened',
      title: `memory, ${stored} objects reopened`,
      ...memory,
      how: 'The same after a restart on these objects, before anyone has asked for one.',
    },
    {
      name: 'controllers-idle-cpu',
      title: 'controllers, at rest',
      unit: '% of a core',
      better: 'less',
      aim: { below: 1 },
      how: `Processor time of an empty server with all controllers over ${2 * scale.settleSeconds} s, less that of one with none beside it.`,
    },
    {
      name: 'controllers-memory',
      title: 'controllers, memory at rest',
      unit: 'MB',
      better: 'less',
      aim: { below: 40 },
      how: 'Resident pages of the same two servers at the end of that time, one less the other.',
    },
    {
      name: 'crds-create',
      title: `make ${kinds} custom kinds`,
      unit: 'kinds/s',
      better: 'more',
      aim: { times: 3 },
      how: `8 connections each create a CustomResourceDefinition of about 14 KB in a group of its own and wait until its objects can be listed and discovery names it; ${kinds} of them.`,
    },
    {
      name: 'crds-memory',
      title: `memory for each of ${kinds} custom kinds`,
      unit: 'KB',
      better: 'less',
      aim: { below: 200 },
      how: 'What the resident pages of all processes of a side have grown by since it was empty, divided by the kinds; discovery, the index of OpenAPI, one of its documents and the objects of every tenth kind have been asked for.',
    },
    {
      name: 'crds-start',
      title: `start to ready, ${kinds} custom kinds`,
      unit: 's',
      better: 'less',
      how: 'From starting the processes on these kinds until /readyz answers 200.',
    },
    {
      name: 'crds-reopened',
      title: `memory for each of ${kinds} custom kinds, reopened`,
      unit: 'KB',
      better: 'less',
      aim: { below: 200 },
      how: 'The same as after making them, after a restart: what they hold, without what making them left behind.',
    },
  ];
}

/** What was measured: for each row and side, one sample per round. */
export class Results {
  readonly #samples = new Map<string, Sample[]>();

  add(row: RowName, side: string, sample: Sample): void {
    const key = `${row} ${side}`;
    const samples = this.#samples.get(key);
    if (samples) samples.push(sample);
    else this.#samples.set(key, [sample]);
  }

  /** The most that other work on the machine took from any measurement, in processors. */
  disturbance(): number {
    const samples = [...this.#samples.values()].flat();
    return Math.max(0, ...samples.map((sample) => sample.otherCores ?? 0));
  }

  of(row: string, side: string): readonly Sample[] {
    return this.#samples.get(`${row} ${side}`) ?? [];
  }
}
