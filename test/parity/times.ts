const aDay = 24 * 3600 * 1000;

/** Whether a server took this time from its clock just now, and did not read it in a request. */
export function isRecent(time: string): boolean {
  return Math.abs(Date.parse(time) - Date.now()) < aDay;
}
