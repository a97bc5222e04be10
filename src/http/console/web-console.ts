// The web console of a server: its pages, and the stream of their watches. It loads nothing before a browser requests a page.
import type { Exchange } from '../../transport/exchange.ts';
import type { PathFamily, PathHandler } from '../../transport/path-table.ts';
import { type ConsoleInfo, ConsolePages } from './console-pages.ts';
import { consoleWatchPath } from './console-paths.ts';
import { ConsoleWatchStreams, type ServeRequest } from './watch-stream.ts';

export class WebConsole implements PathFamily {
  readonly #pages: ConsolePages;
  readonly #streams: ConsoleWatchStreams;

  /** `serve` runs a watch of a stream through the filter chain. */
  constructor(info: ConsoleInfo, serve: ServeRequest) {
    this.#pages = new ConsolePages(info);
    this.#streams = new ConsoleWatchStreams(serve);
  }

  /** Serves pages, which need no authentication. Undefined for another request. */
  serve(exchange: Exchange): Promise<void> | undefined {
    return this.#pages.serve(exchange);
  }

  /** Any user may open the stream: the watches in it are authorized one by one. */
  isOpenToUsers(path: string): boolean {
    return path === consoleWatchPath;
  }

  isUpgradedPath(path: string): boolean {
    return path === consoleWatchPath;
  }

  /** The paths are not in the index at `/`, which is that of the API. */
  paths(): readonly string[] {
    return [];
  }

  find(path: string): PathHandler | undefined {
    return path === consoleWatchPath ? (exchange) => this.#streams.open(exchange) : undefined;
  }
}
