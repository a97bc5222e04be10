// Errors of a client for HTTP responses: the messages of client-go (apimachinery's NewGenericServerResponse).
import { quote } from './quote.ts';
import { ApiError, type StatusReason } from './status.ts';

/** What the request was for. */
export interface RequestSubject {
  readonly group: string;
  readonly resource: string;
  readonly name?: string;
}

const messages: Readonly<Record<number, readonly [StatusReason, string]>> = {
  400: ['BadRequest', 'the server rejected our request for an unknown reason'],
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  403: ['Forbidden', 'the server does not allow access to the requested resource'],
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  409: ['Conflict', 'the server reported a conflict'],
  422: ['Invalid', 'the server rejected our request due to an error in our request'],
  429: ['TooManyRequests', 'the server has received too many requests and has asked us to try again later'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: [
    'Timeout',
    'the server was unable to return a response in the time allotted, but may still be processing the request',
  ],
};

/** The error of a response without a Status, such as a plain-text 404; `text` is its body. */
export function serverResponseError(
  code: number,
  verb: string,
  { group, resource, name = '' }: RequestSubject,
  text = '',
): ApiError {
  const [reason, message] = messages[code] ?? unknownMessage(code, text);
  const qualified = group === '' ? resource : `${resource}.${group}`;
  const target = [verb, qualified, ...(name === '' ? [] : [name])].join(' ');
  return new ApiError(code, reason, `${message} (${target})`);
}

function unknownMessage(code: number, text: string): readonly [StatusReason, string] {
  if (code < 500)
    return ['', `the server responded with the status code ${code} but did not return more information`];
  const body = text === '' ? 'unknown' : text;
  return [
    'InternalError',
    `an error on the server (${quote(body)}) has prevented the request from succeeding`,
  ];
}
