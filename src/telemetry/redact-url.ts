// Redacts secret query parameters in logged URLs.

/** Names of secret query parameters. A name with an escape counts as secret, because it may spell one of these. */
const secretName = /token|password|secret|%/i;

/** Returns the request target without the values of secret parameters: clients send tokens in URLs by mistake. */
export function redactUrl(url: string): string {
  const queryOffset = url.indexOf('?');
  if (queryOffset < 0 || !secretName.test(url)) return url;
  const redacted = url
    .slice(queryOffset + 1)
    .split('&')
    .map((parameter) => {
      const equals = parameter.indexOf('=');
      return equals >= 0 && secretName.test(parameter.slice(0, equals))
        ? `${parameter.slice(0, equals + 1)}…`
        : parameter;
    });
  return `${url.slice(0, queryOffset + 1)}${redacted.join('&')}`;
}
