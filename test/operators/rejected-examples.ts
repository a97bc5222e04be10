/** Examples that the CRDs of their own module reject, on the reference too: the message of each, by operator. */
export const rejectedExamples: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'prometheus-operator': {
    'example/user-guides/scrapeclass/scrapeclass-example-servicemonitor.yaml servicemonitor-example':
      'spec.selector: Required value',
  },
  keda: {
    'config/samples/keda_v1alpha1_scaledjob.yaml scaledjob-sample':
      'spec.jobTargetRef.template: Required value',
  },
  'external-secrets': {
    'docs/snippets/full-cluster-secret-store.yaml example':
      'spec.provider.vault.caBundle: Invalid value: "..."',
    'docs/snippets/full-secret-store.yaml example':
      'spec.provider.vault.auth.cert.clientCert.namespace: Invalid value: "..."',
    'docs/snippets/gcpsm-sa-secret-store.yaml demo-store':
      'spec.provider.gcpsm.projectID: Invalid value: "array"',
    'docs/snippets/gcpsm-wif-core-controller-secret-store.yaml demo-store':
      'spec.provider.gcpsm.projectID: Invalid value: "array"',
    'docs/snippets/gcpsm-wif-iam-secret-store.yaml demo-store':
      'spec.provider.gcpsm.projectID: Invalid value: "array"',
    'docs/snippets/gcpsm-wif-non-native-iam-secret-store.yaml demo-store':
      'spec.provider.gcpsm.projectID: Invalid value: "array"',
    'docs/snippets/gcpsm-wif-sa-secret-store-with-explicit-name-and-location.yaml demo-store':
      'spec.provider.gcpsm.auth.workloadIdentity.clusterLocation: Invalid value: "array"',
    'docs/snippets/gcpsm-wif-sa-secret-store.yaml demo-store':
      'spec.provider.gcpsm.projectID: Invalid value: "array"',
    'docs/snippets/generator-cloudsmith.yaml my-cloudsmith-token': 'unknown field "spec.apiHost"',
    'docs/snippets/generator-gcr.yaml gcr-gen':
      'spec.auth.secretRef.secretAccessKeySecretRef.key: Invalid value: ""',
    'docs/snippets/github-push-secret.yaml github-push-secret-example':
      'spec.selector.secret.name: Invalid value: "EXTSERCRET"',
    'docs/snippets/github-secret-store.yaml github': 'spec.provider.github.appID: Invalid value: "string"',
    'docs/snippets/gitlab-secret-store.yaml gitlab-secret-store':
      'spec.provider.gitlab.inheritFromGroups: Invalid value: "string"',
    'docs/snippets/ibm-secret-store.yaml ibm-store':
      'spec.provider.ibm.auth: Too many: 2: must have at most 1 items',
    'docs/snippets/ngrok-push-secret-with-metadata.yaml ngrok-push-secret-example':
      'spec.selector.secret.name: Invalid value: "SECRET_NAME"',
    'docs/snippets/ngrok-push-secret.yaml ngrok-push-secret-example':
      'spec.selector.secret.name: Invalid value: "SECRET_NAME"',
    'docs/snippets/onboardbase-generic-secret-store.yaml onboardbase-external-secret-store':
      'unknown field "spec.provider.onboardbase.auth.apiKey"',
    'docs/snippets/oracle-instance-principal.yaml my-secret-store':
      'spec.provider.oracle.region: Required value',
    'docs/snippets/oracle-principal-type.yaml my-secret-store':
      'spec.provider.oracle.principalType: Unsupported value: "<Principal Type>"',
    'docs/snippets/oracle-secret-store-pushsecret.yaml example-instance-principal':
      'spec.provider.oracle.region: Required value',
    'docs/snippets/oracle-secret-store.yaml example-auth':
      'spec.provider.oracle.auth.tenancy: Required value',
    'docs/snippets/oracle-workload-identity.yaml my-secret-store':
      'spec.provider.oracle.region: Required value',
    'docs/snippets/vault-mtls-store.yaml vault-backend': 'unknown field "spec.provider.vault.tls.clientCert"',
  },
  'argo-rollouts': {
    'examples/traffic-management/rollout-linkerd.yaml load-test':
      'unknown field "spec.metrics[0].provider.job.spec.template.metadata.annotations.linkerd.io/inject.{ args.linkerd-enabled }"',
  },
  'argo-cd': {
    'applicationset/examples/design-doc/applicationset-fasttemplate.yaml guestbook':
      'spec.template.spec.project: Required value',
    'applicationset/examples/design-doc/applicationset.yaml guestbook':
      'spec.template.spec.project: Required value',
    'applicationset/examples/design-doc/git-directory-discovery-fasttemplate.yaml cluster-addons':
      'spec.generators[0].git.revision: Required value',
    'applicationset/examples/design-doc/git-directory-discovery.yaml cluster-addons':
      'spec.generators[0].git.revision: Required value',
    'applicationset/examples/design-doc/git-files-discovery-fasttemplate.yaml guestbook':
      'spec.generators[0].git.revision: Required value',
    'applicationset/examples/design-doc/git-files-discovery.yaml guestbook':
      'spec.generators[0].git.revision: Required value',
    'applicationset/examples/design-doc/git-files-literal-fasttemplate.yaml guestbook':
      'spec.generators[0].git.revision: Required value',
    'applicationset/examples/design-doc/git-files-literal.yaml guestbook':
      'spec.generators[0].git.revision: Required value',
    'applicationset/examples/design-doc/proposal/filters.yaml guestbook':
      'unknown field "spec.generators[0].clusters.filters"',
    'applicationset/examples/matrix/matrix-and-union-in-matrix-fasttemplate.yaml matrix-and-union-in-matrix':
      'unknown field "spec.generators[0].matrix.generators[0].union"',
    'applicationset/examples/matrix/matrix-and-union-in-matrix.yaml matrix-and-union-in-matrix':
      'unknown field "spec.generators[0].matrix.generators[0].union"',
  },
};
