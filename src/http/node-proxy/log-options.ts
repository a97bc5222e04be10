// PodLogOptions: reads and validates the query of pods/log.
import { badRequest, invalidObject } from '../../errors/catalogue.ts';
import { addErrors, type FieldError, forbidden, invalid, notSupported } from '../../errors/field-error.ts';
import type { Features } from '../../kind/features/features.ts';
import { booleanParameter, integerParameter } from '../../registry/options/query.ts';
import { layouts, parseTime } from '../../schema/time-text.ts';

/** The options of a log request. */
export interface LogOptions {
  /** '' if the request names none. */
  readonly container: string;
  /** insecureSkipTLSVerifyBackend. */
  readonly insecure: boolean;
  /** The query for the kubelet, sorted by name. */
  readonly kubeletQuery: string;
}

/** The path of an error that concerns several options: upstream prints an empty list of fields. */
const severalFields = '[]';

const streams = ['Stdout', 'Stderr', 'All'];

/** Throws the validation errors of upstream's PodLogOptions. */
export function readLogOptions(query: URLSearchParams, pod: string, features: Features): LogOptions {
  const sinceSeconds = integerParameter(query, 'sinceSeconds');
  const tailLines = integerParameter(query, 'tailLines');
  const limitBytes = integerParameter(query, 'limitBytes');
  const sinceTime = parseSinceTime(query.get('sinceTime') ?? '');
  const splitStreams = features.enabled('PodLogsQuerySplitStreams');
  const stream = query.get('stream') ?? (splitStreams ? 'All' : undefined);
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(invalid('tailLines', tailLines, 'must be greater than or equal to 0'));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    errors.push(invalid('limitBytes', limitBytes, 'must be greater than 0'));
  }
  if (sinceSeconds !== undefined && sinceTime !== '') {
    errors.push(forbidden(severalFields, 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalid('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  }
  if (stream !== undefined) addErrors(errors, validateStream(stream, tailLines, splitStreams));
  if (errors.length > 0) throw invalidObject({ group: '', kind: 'PodLogOptions' }, pod, errors);
  return {
    container: query.get('container') ?? '',
    insecure: booleanParameter(query, 'insecureSkipTLSVerifyBackend') ?? false,
    kubeletQuery: toQuery({
      follow: booleanParameter(query, 'follow') || undefined,
      limitBytes,
      previous: booleanParameter(query, 'previous') || undefined,
      sinceSeconds,
      sinceTime: sinceTime || undefined,
      stream,
      tailLines,
      timestamps: booleanParameter(query, 'timestamps') || undefined,
    }),
  };
}

/** The time in canonical form; '' if absent. Throws 400 if it is malformed. */
function parseSinceTime(text: string): string {
  if (text === '') return '';
  const parsed = parseTime(text, layouts.seconds);
  if ('problem' in parsed) throw badRequest(parsed.problem);
  return parsed.text;
}

function validateStream(stream: string, tailLines: number | undefined, splitStreams: boolean): FieldError[] {
  if (!splitStreams) return [forbidden('stream', 'may not be specified')];
  if (!streams.includes(stream)) return [notSupported('stream', stream, streams)];
  if (stream === 'All' || tailLines === undefined) return [];
  return [forbidden(severalFields, '`tailLines` and specific `stream` are mutually exclusive for now')];
}

/** A query string of the parameters that have a value, with its question mark; '' if none has. */
function toQuery(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.append(name, String(value));
  }
  return query.size > 0 ? `?${query}` : '';
}
