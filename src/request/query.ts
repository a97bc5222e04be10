/** A parameter that has a broken escape or a semicolon, which once separated parameters, is left out. */
const unreadable = /;|%(?![0-9a-fA-F]{2})/;

/** Reads a query. Everybody who looks at one has it from here: what is authorized must be what is served. */
export function parseQuery(text: string): URLSearchParams {
  if (!unreadable.test(text)) return new URLSearchParams(text);
  const kept = text
    .replace(/^\?/, '')
    .split('&')
    .filter((parameter) => !unreadable.test(parameter));
  return new URLSearchParams(kept.join('&'));
}
