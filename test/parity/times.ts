const aDay = 24 * 3600 * 1000;

/** Whether a server took this time from its clock just now, and did not read it in a request. */
export function isRecent(time: string): boolean {
  return Math.abs(Date.parse(time) - Date.now()) < aDay;
}

/** How long from now something ends, to the minute. */
export function shownExpiry(time: string): string {
  return `<in ${Math.round((Date.parse(time) - Date.now()) / 60_000)} minutes>`;
}
