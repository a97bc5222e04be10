// The response of an HTTP/2 request, with the property `destroyed` of other responses.
import { Http2ServerResponse } from 'node:http2';

export class Http2Response extends Http2ServerResponse {}

// Node's class has no such property, contrary to its types: senders would not notice that the client reset the stream.
Object.defineProperty(Http2Response.prototype, 'destroyed', {
  get(this: Http2ServerResponse): boolean {
    return this.stream.closed || this.stream.destroyed;
  },
});
