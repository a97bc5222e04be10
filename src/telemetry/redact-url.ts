// Redacts secrets in logged URLs.

/** Secret query parameters, also percent-encoded. */
const secretName = /token|password|secret|%/i;

/** The request target with secret parameters redacted: clients send tokens in URLs by mistake. */
export function redactUrl(url: string): string {
  const mark = url.indexOf('?');
  if (mark < 0 || !secretName.test(url)) return url;
  const shown = url
    .slice(mark + 1)
    .split('&')
    .map((parameter) => {
      const at = parameter.indexOf('=');
      return at >= 0 && secretName.test(parameter.slice(0, at))
        ? `${parameter.slice(0, at + 1)}…`
        : parameter;
    });
  return `${url.slice(0, mark + 1)}${shown.join('&')}`;
}
