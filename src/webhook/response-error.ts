// Webhooks: error messages for HTTP status codes, as client-go words them.
import { isObject } from '../codec/json/json-value.ts';
import { parseJson } from '../codec/json/parse.ts';

/** Messages for responses whose body is not a Status. */
const messagesByStatusCode: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  403: 'unknown',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  406: 'the server was unable to respond with a content type that the client supports',
  409: 'the server reported a conflict',
  415: 'unknown',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

/** The error message for a response by its status code; undefined for a successful response with a body. */
export function responseErrorMessage(code: number, contentType: string, body: Buffer): string | undefined {
  if (code >= 200 && code <= 206) {
    if (body.length > 0) return undefined;
    return `0-length response with status code: ${code} and content type: ${contentType}`;
  }
  const message = statusMessage(body);
  if (message !== undefined) return message;
  const defaultMessage = messagesByStatusCode[code];
  if (defaultMessage !== undefined) return defaultMessage;
  if (code >= 500) return 'an error on the server ("unknown") has prevented the request from succeeding';
  return `the server responded with the status code ${code} but did not return more information`;
}

/** The message of the body if it is the Status of a failure; undefined otherwise. */
function statusMessage(body: Buffer): string | undefined {
  try {
    const { value } = parseJson(body);
    if (!isObject(value) || value.kind !== 'Status' || value.apiVersion !== 'v1') return undefined;
    const { status, message } = value;
    return status !== 'Success' && typeof message === 'string' && message !== '' ? message : undefined;
  } catch {
    return undefined;
  }
}
