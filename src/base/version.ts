// The version of Orch itself.

/** The built program does not contain package.json, so a test keeps this equal to its version. */
export const orchVersion = '0.1.0';
