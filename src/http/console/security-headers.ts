// The security headers of every response of the web console.
//
// The page has no inline script or style, loads nothing from another origin, cannot be framed, and keeps no window of another
// origin in its browsing context group. Tokens are in no cookie, so another site cannot use them.

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Alternating names and values. */
export const consoleSecurityHeaders: readonly string[] = [
  ...['Content-Security-Policy', contentSecurityPolicy],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['X-Frame-Options', 'DENY'],
  ...['Referrer-Policy', 'no-referrer'],
  ...['Cross-Origin-Opener-Policy', 'same-origin'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
  ...['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
];
