/** The cases that end otherwise than beside the reference, and why that is to stay. */
export const accepted: Readonly<Record<string, string>> = {
  'namespace-of-pods':
    'as long as pods are left, the condition NamespaceContentRemaining says so here; there it says that all has been removed',
};
