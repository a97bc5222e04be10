// The catalogue of API errors, with the codes, reasons and messages of k8s.io/apimachinery/pkg/api/errors.
import { type FieldError, fieldErrorBody } from './field-error.ts';
import { quote } from './quote.ts';
import { ApiError, type StatusCause, type StatusDetails } from './status.ts';

/** The resource that an error is about. The core group is the empty string. */
export interface ErrorSubject {
  readonly group: string;
  /** The plural name, as in the URL. */
  readonly resource: string;
}

function qualifiedResource(subject: ErrorSubject): string {
  return subject.group === '' ? subject.resource : `${subject.resource}.${subject.group}`;
}

function statusDetails(
  subject: ErrorSubject,
  name: string,
  extra: Partial<StatusDetails> = {},
): StatusDetails {
  return {
    ...(name && { name }),
    ...(subject.group && { group: subject.group }),
    ...(subject.resource && { kind: subject.resource }),
    ...extra,
  };
}

export const unauthorized = () => new ApiError(401, 'Unauthorized', 'Unauthorized');

export function forbidden(subject: ErrorSubject, name: string, detail: string): ApiError {
  const target = name === '' ? qualifiedResource(subject) : `${qualifiedResource(subject)} ${quote(name)}`;
  const message = subject.resource === '' ? `forbidden: ${detail}` : `${target} is forbidden: ${detail}`;
  return new ApiError(403, 'Forbidden', message, statusDetails(subject, name));
}

export const notFound = (subject: ErrorSubject, name: string) =>
  new ApiError(
    404,
    'NotFound',
    `${qualifiedResource(subject)} ${quote(name)} not found`,
    statusDetails(subject, name),
  );

/** The group, version or resource is not served. */
export const resourceNotServed = () =>
  new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});

export const methodNotAllowed = () =>
  new ApiError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );

export const methodNotSupported = (subject: ErrorSubject, action: string) =>
  new ApiError(
    405,
    'MethodNotAllowed',
    `${action} is not supported on resources of kind "${qualifiedResource(subject)}"`,
    statusDetails(subject, ''),
  );

export const alreadyExists = (subject: ErrorSubject, name: string) =>
  new ApiError(
    409,
    'AlreadyExists',
    `${qualifiedResource(subject)} ${quote(name)} already exists`,
    statusDetails(subject, name),
  );

export const generateNameConflict = (subject: ErrorSubject, name: string) =>
  new ApiError(
    409,
    'AlreadyExists',
    `${qualifiedResource(subject)} ${quote(name)} already exists, the server was not able to generate a unique name for the object`,
    statusDetails(subject, name, { retryAfterSeconds: 1 }),
  );

export const conflict = (subject: ErrorSubject, name: string, detail: string) =>
  new ApiError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualifiedResource(subject)} ${quote(name)}: ${detail}`,
    statusDetails(subject, name),
  );

/** The detail of a conflict with a concurrent change. */
export const objectModified =
  'the object has been modified; please apply your changes to the latest version and try again';

/** More errors than anyone reads, and so few that the response does not block the event loop. */
const maxErrors = 2_000;
const maxErrorCharacters = 128 * 1024;
/** A name is in the response up to four times. */
const maxNameCharacters = 32 * 1024;

const cutTo = (text: string, maxCharacters: number) =>
  text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;

/** Validation failed; each field error is a cause. Some errors are left out if there are very many or very long ones. */
export function invalidObject(
  kind: { group: string; kind: string },
  fullName: string,
  errors: readonly FieldError[],
): ApiError {
  const name = cutTo(fullName, maxNameCharacters);
  const causes: StatusCause[] = [];
  let characters = 0;
  for (const error of errors) {
    const { type: reason, field } = error;
    // Upstream's details may be very long: the diff of a patch of 3 MB has more than 30.
    const message = cutTo(fieldErrorBody(error), maxErrorCharacters);
    causes.push({ reason, message, field });
    characters += message.length + field.length;
    if (causes.length === maxErrors || characters > maxErrorCharacters) break;
  }
  const messages = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))];
  const summary = messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`;
  const target = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  return new ApiError(422, 'Invalid', `${target} ${quote(name)} is invalid: ${summary}`, {
    ...(name && { name }),
    ...(kind.group && { group: kind.group }),
    ...(kind.kind && { kind: kind.kind }),
    causes,
  });
}

export const badRequest = (message: string) => new ApiError(400, 'BadRequest', message);

export const notAcceptable = (accepted: readonly string[]) =>
  new ApiError(406, 'NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`);

/** The `as=` parameter of Accept requests a list kind for an object, or an object kind for a list. */
export const requestedKindMismatch = (kind: string, actual: 'a list' | 'not a list', type: string) =>
  new ApiError(
    406,
    'NotAcceptable',
    `you requested ${kind}, but the requested object is ${actual} (${type})`,
  );

/** go-restful's error if `Accept` matches nothing that the route produces. */
export const noRepresentation = (available: readonly string[]) =>
  new ApiError(
    406,
    'NotAcceptable',
    `406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`,
    {},
  );

export const unsupportedMediaType = (accepted: readonly string[]) =>
  new ApiError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );

/** go-restful's error if the route consumes no such media type. */
export const noSuchMediaType = () =>
  new ApiError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});

export const bodyTooLarge = (limit: number) =>
  new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);

/** The object or options that a client posts are not stored, and would take too long to decode. */
export const tooManyElements = (limit: number, maxBytesUnlessJson: number) =>
  new ApiError(
    413,
    'RequestEntityTooLarge',
    `Request entity too large: a body that is not stored may have at most ${limit} fields and list items, and ${maxBytesUnlessJson} bytes unless it is JSON`,
  );

/** managedFields and patches can grow an object beyond the limit of a request body. */
export const objectTooLarge = (bytes: number, limit: number) =>
  new ApiError(
    413,
    'RequestEntityTooLarge',
    `Request entity too large: the object would take ${bytes} bytes, and at most ${limit} are kept`,
  );

/** The defaults of a custom resource exceed the size limit. */
export const tooManyDefaults = (limit: number) =>
  new ApiError(
    413,
    'RequestEntityTooLarge',
    `Request entity too large: the defaults of its kind would add more than ${limit} bytes to the object`,
  );

/** The object exceeds etcd's --max-request-bytes. */
export const tooLargeToStore = (detail: string) =>
  new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: ${detail}`);

/** The requested revision has been compacted. */
export const expired = (message: string) => new ApiError(410, 'Expired', message);

export const tooLargeRevision = (requested: string, current: number) =>
  new ApiError(504, 'Timeout', `Timeout: Too large resource version: ${requested}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });

export const requestTimeout = (message: string, retryAfterSeconds = 0) =>
  new ApiError(504, 'Timeout', `Timeout: ${message}`, retryAfterSeconds ? { retryAfterSeconds } : {});

export const tooManyRequests = (message: string, retryAfterSeconds: number) =>
  new ApiError(429, 'TooManyRequests', message, { retryAfterSeconds });

export const serviceUnavailable = (message: string) => new ApiError(503, 'ServiceUnavailable', message);

/** kube-apiserver's response when etcd has exceeded its quota, which has no reason, with advice after the message. */
export const storageFull = (advice: string) =>
  new ApiError(500, '', `etcdserver: mvcc: database space exceeded: ${advice}`);

/** A stored object that cannot be decoded. */
export interface CorruptObject {
  readonly key: string;
  readonly problem: string;
}

/** The text of upstream's storage.StorageError. */
function corruptObjectMessage(path: string, problem: string): string {
  return `StorageError: corrupt object, Code: 7, Key: ${path}, ResourceVersion: 0, AdditionalErrorMsg: ${problem}`;
}

/** The error of a read of one object that cannot be decoded. */
export const corruptObject = ({ key, problem }: CorruptObject) =>
  internalError(corruptObjectMessage(`/${key}`, problem));

/** Maximum number of objects that a StorageReadError names. */
export const maxReportedCorruptObjects = 100;

/** A list contains objects that cannot be decoded. */
export function storageReadError(subject: ErrorSubject, objects: readonly CorruptObject[]): ApiError {
  const causes: StatusCause[] = objects.slice(0, maxReportedCorruptObjects).map(({ key, problem }) => {
    const path = `/registry/${key}`;
    return { reason: 'UnexpectedServerResponse', message: corruptObjectMessage(path, problem), field: path };
  });
  if (objects.length > maxReportedCorruptObjects) {
    causes.push({ reason: 'FieldValueTooMany', message: 'too many errors, the list is truncated' });
  }
  return new ApiError(
    500,
    'StorageReadError',
    `failed to read one or more ${qualifiedResource(subject)} from the storage`,
    statusDetails(subject, 'list', { causes }),
  );
}

export const internalError = (message: string) =>
  new ApiError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
