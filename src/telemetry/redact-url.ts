// Redacts secret query parameters in logged URLs.

/** Secret query parameters, also percent-encoded. */
const secretName = /token|password|secret|%/i;

/** Returns the request target without the values of secret parameters: clients send tokens in URLs by mistake. */
export function redactUrl(url: string): string {
  const queryAt = url.indexOf('?');
  if (queryAt < 0 || !secretName.test(url)) return url;
  const redacted = url
    .slice(queryAt + 1)
    .split('&')
    .map((parameter) => {
      const at = parameter.indexOf('=');
      return at >= 0 && secretName.test(parameter.slice(0, at))
        ? `${parameter.slice(0, at + 1)}…`
        : parameter;
    });
  return `${url.slice(0, queryAt + 1)}${redacted.join('&')}`;
}
