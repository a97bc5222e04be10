// The stream of one watch response, whatever protocol carries it: HTTP/1.1 chunks, an HTTP/2 stream or a WebSocket.

export interface WatchStream {
  /** Sends one or more whole events. False: the client reads too slowly, see `buffered`. Does nothing once closed. */
  write(frame: Buffer): boolean;
  /** Bytes that the client has not read yet. */
  buffered(): number;
  /** Ends the stream. `complete`: as on a watch timeout; `broken`: at once, discarding buffered events. */
  close(end: 'complete' | 'broken'): void;
}
