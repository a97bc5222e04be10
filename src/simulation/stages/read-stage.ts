// Reads the parts of a stage in a stage file: match, delay and next.
import type { JsonValue } from '../../codec/json/json-value.ts';
import { ConfigFileError, FileFields } from '../../codec/yaml/file-fields.ts';
import { ApiError } from '../../errors/status.ts';
import { labelMatcher } from '../../selectors/label-matcher.ts';
import { parseLabelSelector } from '../../selectors/label-selector.ts';
import type { ConditionCompiler } from './pod-condition.ts';
import type { NextContainers, NextState, PodMatch, StageDelay } from './stage.ts';
import { templateNames, unknownNames } from './template.ts';

const phases = ['Pending', 'Running', 'Succeeded', 'Failed'] as const;
const restartPolicies = ['Always', 'OnFailure', 'Never'];
const states = ['waiting', 'running', 'terminated'] as const;
const statuses = ['True', 'False', 'Unknown'] as const;
const matchFields = [
  'phase',
  'deleting',
  'labels',
  'annotations',
  'owner',
  'restartPolicy',
  'preStop',
  'containers',
  'expression',
];
const delayFields = ['duration', 'jitter', 'annotation', 'from', 'growth', 'max'];
const nextFields = [
  'phase',
  'reason',
  'message',
  'containers',
  'initContainers',
  'conditions',
  'status',
  'event',
  'removeFinalizers',
  'delete',
];
const containerFields = [
  'names',
  'state',
  'ready',
  'reason',
  'message',
  'exitCode',
  'exitCodeAnnotation',
  'restart',
];

/** Without the fields that have no value. */
type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };
const defined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<
    Defined<T>
  >;

export function readMatch(value: JsonValue, path: string, compile: ConditionCompiler): PodMatch {
  const match = new FileFields(value, path, matchFields);
  const expression = match.text('expression');
  const labels = match.text('labels');
  return defined({
    phase: oneOf(match, 'phase', phases),
    deleting: match.boolean('deleting'),
    labels: labels === undefined ? undefined : readSelector(labels, match.pathOf('labels')),
    annotations: match.textMap('annotations'),
    owner: match.texts('owner'),
    restartPolicy: oneOf(match, 'restartPolicy', restartPolicies),
    preStop: match.boolean('preStop'),
    containers: readContainerMatch(match.value('containers'), match.pathOf('containers')),
    condition: expression === undefined ? undefined : compile(expression, match.pathOf('expression')),
  });
}

function oneOf(fields: FileFields, name: string, allowed: readonly string[]): readonly string[] | undefined {
  const values = fields.texts(name);
  const unknown = values?.find((value) => !allowed.includes(value));
  if (unknown === undefined) return values;
  throw new ConfigFileError(`${fields.pathOf(name)}: ${unknown} is not one of ${allowed.join(', ')}`);
}

function readSelector(text: string, path: string): PodMatch['labels'] {
  try {
    return labelMatcher(parseLabelSelector(text));
  } catch (error) {
    if (error instanceof ApiError) throw new ConfigFileError(`${path}: ${error.message}`);
    throw error;
  }
}

function readContainerMatch(value: JsonValue | undefined, path: string): PodMatch['containers'] {
  if (value === undefined) return undefined;
  const containers = new FileFields(value, path, ['state', 'reason']);
  const reason = containers.text('reason');
  return { state: requireState(containers), ...(reason !== undefined && { reason }) };
}

function requireState(containers: FileFields): (typeof states)[number] {
  const state = containers.choice('state', states);
  if (state !== undefined) return state;
  throw new ConfigFileError(`${containers.pathOf('state')} is required: ${states.join(', ')}`);
}

export function readDelay(value: JsonValue, path: string): StageDelay {
  const delay = new FileFields(value, path, delayFields);
  return {
    durationMs: delay.duration('duration') ?? 0,
    jitterMs: delay.duration('jitter') ?? 0,
    ...defined({
      annotation: delay.text('annotation'),
      from: delay.text('from')?.split('.'),
      growth: delay.number('growth', 1, 100),
      maxMs: delay.duration('max'),
    }),
  };
}

export function readNext(value: JsonValue, path: string): NextState {
  const next = new FileFields(value, path, nextFields);
  for (const name of ['reason', 'message', 'status', 'event']) {
    const unknown = unknownNames(next.value(name) ?? '')[0];
    if (unknown === undefined) continue;
    const known = templateNames.join(', ');
    throw new ConfigFileError(`${next.pathOf(name)}: no value for {{${unknown}}}; there are ${known}`);
  }
  return defined({
    phase: next.choice('phase', phases),
    reason: next.text('reason'),
    message: next.text('message'),
    containers: readContainers(next.value('containers'), next.pathOf('containers')),
    initContainers: readContainers(next.value('initContainers'), next.pathOf('initContainers')),
    conditions: next.list('conditions', readCondition),
    status: next.object('status'),
    event: readEvent(next.value('event'), next.pathOf('event')),
    removeFinalizers: next.texts('removeFinalizers'),
    delete: next.boolean('delete'),
  });
}

function readContainers(value: JsonValue | undefined, path: string): NextContainers | undefined {
  if (value === undefined) return undefined;
  const containers = new FileFields(value, path, containerFields);
  return {
    state: requireState(containers),
    ...defined({
      names: containers.texts('names'),
      ready: containers.boolean('ready'),
      reason: containers.text('reason'),
      message: containers.text('message'),
      exitCode: containers.number('exitCode', 0, 255),
      exitCodeAnnotation: containers.text('exitCodeAnnotation'),
      restart: containers.boolean('restart'),
    }),
  };
}

function readCondition(value: JsonValue, path: string): NonNullable<NextState['conditions']>[number] {
  const condition = new FileFields(value, path, ['type', 'status', 'reason', 'message']);
  const type = condition.text('type');
  const status = condition.choice('status', statuses);
  if (!type || status === undefined) throw new ConfigFileError(`${path}: type and status are required`);
  return {
    type,
    status,
    ...defined({ reason: condition.text('reason'), message: condition.text('message') }),
  };
}

function readEvent(value: JsonValue | undefined, path: string): NextState['event'] {
  if (value === undefined) return undefined;
  const event = new FileFields(value, path, ['type', 'reason', 'message']);
  const reason = event.text('reason');
  if (!reason) throw new ConfigFileError(`${path}.reason is required`);
  const type = event.choice('type', ['Normal', 'Warning']) ?? 'Normal';
  return { type, reason, message: event.text('message') ?? '' };
}
