// Reads and validates ListOptions from the query of a list or watch.
import { invalidObject } from '../../errors/catalogue.ts';
import { type FieldError, forbidden, notSupported } from '../../errors/field-error.ts';
import { type FieldRequirement, parseFieldSelector } from '../../selectors/field-selector.ts';
import { type LabelRequirement, parseLabelSelector } from '../../selectors/label-selector.ts';
import { booleanParameter, integerParameter } from './query.ts';

export interface ListOptions {
  readonly labels: readonly LabelRequirement[];
  readonly fields: readonly FieldRequirement[];
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly timeoutSeconds: number | undefined;
  /** 0 is no limit. */
  readonly limit: number;
  readonly continue: string;
  readonly sendInitialEvents: boolean | undefined;
}

export interface ListOptionsContext {
  /** The kind's selectable fields beyond metadata.name and metadata.namespace. */
  readonly selectableFields: readonly string[] | undefined;
  /** Group of the options kinds, for errors about them. */
  readonly metaGroup: string;
  readonly watch: boolean;
  /** The feature gate WatchList: whether a watch may request initial events (streaming list). */
  readonly watchList?: boolean;
}

export function readListOptions(query: URLSearchParams, context: ListOptionsContext): ListOptions {
  const timeoutSeconds = integerParameter(query, 'timeoutSeconds');
  const limit = integerParameter(query, 'limit') ?? 0;
  const options: ListOptions = {
    labels: parseLabelSelector(query.get('labelSelector') ?? ''),
    fields: parseFieldSelector(query.get('fieldSelector') ?? '', context.selectableFields),
    watch: context.watch,
    allowWatchBookmarks: booleanParameter(query, 'allowWatchBookmarks') ?? false,
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    timeoutSeconds,
    limit: Math.max(0, limit),
    continue: query.get('continue') ?? '',
    sendInitialEvents: booleanParameter(query, 'sendInitialEvents'),
  };
  const errors = options.watch
    ? validateWatchOptions(options, context.watchList === true)
    : validateListOptions(options);
  if (errors.length > 0) throw invalidObject({ group: context.metaGroup, kind: 'ListOptions' }, '', errors);
  return options;
}

const matchField = 'resourceVersionMatch';

function validateListOptions({
  resourceVersion,
  resourceVersionMatch: match,
  ...options
}: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (match !== '') {
    if (resourceVersion === '') {
      errors.push(
        forbidden(matchField, 'resourceVersionMatch is forbidden unless resourceVersion is provided'),
      );
    }
    if (options.continue !== '') {
      errors.push(forbidden(matchField, 'resourceVersionMatch is forbidden when continue is provided'));
    }
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(notSupported(matchField, match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && resourceVersion === '0') {
      errors.push(forbidden(matchField, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

function validateWatchOptions(options: ListOptions, watchList: boolean): FieldError[] {
  const { resourceVersion, resourceVersionMatch } = options;
  const errors: FieldError[] = [];
  // With the gate on, a watch that starts with the current state counts as a streaming list with defaulted parameters.
  const isDefaulted =
    watchList &&
    options.sendInitialEvents === undefined &&
    resourceVersionMatch === '' &&
    (resourceVersion === '' || resourceVersion === '0');
  const match = isDefaulted ? 'NotOlderThan' : resourceVersionMatch;
  if (options.sendInitialEvents !== undefined) {
    if (match !== 'NotOlderThan') {
      errors.push(
        forbidden(matchField, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
      );
    }
    if (!watchList) {
      errors.push(
        forbidden(
          'sendInitialEvents',
          'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
        ),
      );
    }
  } else if (match !== '' && !isDefaulted) {
    errors.push(
      forbidden(
        matchField,
        'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      ),
    );
  }
  if (match === '') return errors;
  if (match !== 'NotOlderThan') errors.push(notSupported(matchField, match, ['NotOlderThan']));
  if (options.continue !== '') {
    errors.push(forbidden(matchField, 'resourceVersionMatch is forbidden when continue is provided'));
  }
  return errors;
}
