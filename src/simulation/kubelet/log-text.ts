// The log of a simulated container: a configured text, and the options of a log request.
import type { Pod } from '../../apis/core/pod.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { badRequest } from '../../errors/catalogue.ts';
import { matchesPod } from '../stages/match-pod.ts';
import type { ConfiguredLog } from '../stages/stage.ts';

/** The text of an annotation of the pod, else of the stage file, else a line that says that nothing runs. */
export function logOf(
  pod: Pod,
  container: string,
  logs: readonly ConfiguredLog[],
  { simulation }: Dialect,
): string {
  const { name, namespace, annotations } = pod.metadata;
  const configured = logs.find(
    (log) => (log.container ?? container) === container && matchesLog(log, pod),
  )?.text;
  const text =
    annotations?.[simulation.logs] ??
    configured ??
    `container ${container} of pod ${namespace}/${name} is simulated: no process runs`;
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** Logs of a pod that is being deleted are the same. */
const matchesLog = ({ match }: ConfiguredLog, pod: Pod) =>
  matchesPod({ ...match, deleting: pod.metadata.deletionTimestamp !== undefined }, pod);

/** Throws 400 with a kubelet's texts if the container has no log. Returns when its run began. */
export function startOfLog({ metadata, status }: Pod, container: string, isPrevious: boolean): string {
  const { name } = metadata;
  const containerStatus = statusOf({ status }, container);
  const { state, lastState } = containerStatus ?? {};
  const ended = lastState?.terminated;
  if (isPrevious) {
    if (ended) return ended.startedAt ?? '';
    throw badRequest(`previous terminated container "${container}" in pod "${name}" not found`);
  }
  const run = state?.running ?? state?.terminated ?? ended;
  if (run) return run.startedAt ?? '';
  const reason = state?.waiting?.reason ?? 'ContainerCreating';
  throw badRequest(`container "${container}" in pod "${name}" is waiting to start: ${reason}`);
}

/** Whether the container may still write to its log. */
export const isRunning = (pod: Pick<Pod, 'status'>, container: string) =>
  statusOf(pod, container)?.state.running !== undefined;

const statusOf = ({ status }: Pick<Pod, 'status'>, container: string) =>
  [
    ...(status.initContainerStatuses ?? []),
    ...(status.containerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ].find(({ name }) => name === container);

/** Applies the options of a kubelet's log request. All lines have the time at which the run began. */
export function selectLines(text: string, query: URLSearchParams, startedAt: string, nowMs: number): string {
  const number = (name: string) => {
    const value = query.get(name);
    return value === null ? undefined : Number(value);
  };
  const sinceSeconds = number('sinceSeconds');
  const since = query.get('sinceTime') ?? undefined;
  const sinceMs = sinceSeconds === undefined ? Date.parse(since ?? '') : nowMs - sinceSeconds * 1000;
  if (Date.parse(startedAt) < sinceMs) return '';
  const lines = text.split('\n').slice(0, -1);
  const tailLines = number('tailLines') ?? lines.length;
  const prefix = query.get('timestamps') === 'true' ? `${startedAt} ` : '';
  const selected = tailLines === 0 ? [] : lines.slice(-tailLines);
  const output = selected.map((line) => `${prefix}${line}\n`).join('');
  const limitBytes = number('limitBytes');
  return limitBytes === undefined ? output : Buffer.from(output).subarray(0, limitBytes).toString();
}
