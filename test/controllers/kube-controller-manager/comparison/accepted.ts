/** The cases whose result differs from the reference, each with the reason. */
export const accepted: Readonly<Record<string, string>> = {
  'namespace-of-pods':
    'as long as pods are left, the condition NamespaceContentRemaining says so here; there it says that all has been removed',
};
