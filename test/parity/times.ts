const aDay = 24 * 3600 * 1000;

/** Whether a server took this time from its clock just now, rather than from a request. */
export function isRecent(time: string): boolean {
  return Math.abs(Date.parse(time) - Date.now()) < aDay;
}

/** The remaining time until an end, rounded to minutes. */
export function shownExpiry(time: string): string {
  return `<in ${Math.round((Date.parse(time) - Date.now()) / 60_000)} minutes>`;
}
