// The version of Orch itself.

/** Kept equal to package.json's by a test, because the built program does not carry that file's text. */
export const orchVersion = '0.1.0';
