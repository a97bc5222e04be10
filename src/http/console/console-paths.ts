// The paths of the web console.

export const consolePath = '/console/';
/** What the console has to know of the server before the user has signed in. */
export const consoleInfoPath = '/console/api/info';
/** The WebSocket with the watches of a console. */
export const consoleWatchPath = '/console/api/watch';

/** Whether a browser asks for a page: it prefers HTML, which API clients do not accept by name. */
export function acceptsHtml(accept: string | undefined): boolean {
  return accept?.split(',').some((range) => /^\s*text\/html\s*(;|$)/i.test(range)) ?? false;
}
