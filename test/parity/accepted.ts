/**
 * The differences we live with, each with its reason. `answers` is matched against an answer's id, which is
 * `subject/case #n`. An entry that matches no difference any more is an error: strike it out.
 */
export interface Accepted {
  answers: RegExp;
  reason: string;
}

export const accepted: Accepted[] = [
  {
    answers: /^discovery\/aggregated #[34]$/,
    reason:
      'v2beta1 of aggregated discovery is served by us, and dropped by the reference when every beta gate is on',
  },
  {
    answers: /^limitranges\/texts that are no quantity #17$/,
    reason:
      'exponents beyond 1000 are refused: the reference computes them, and a large one keeps a core busy for good',
  },
  {
    answers: /^limitranges\/limits that contradict each other #16$/,
    reason: 'the message prints the inside of a Go struct, whose scale depends on how the text was written',
  },
  {
    answers: /^paths\/with slashes, dots and escapes #21$/,
    reason: 'a byte that is no UTF-8 shows as the replacement character, not as \\xff',
  },
  {
    answers: /^secrets\/kubernetes.io\/tls needs both halves #5$/,
    reason: 'a warning about a certificate that is no base64 names the other half',
  },
];
