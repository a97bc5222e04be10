/**
 * The accepted differences, each with its reason. `answers` is matched against the id of a response, `subject/case #n`. An
 * entry that matches no difference is an error: delete it.
 */
export interface Accepted {
  answers: RegExp;
  reason: string;
}

export const accepted: Accepted[] = [
  {
    answers: /^limits\/labels have a limit together, as annotations have #1$/,
    reason:
      'labels of more than 256 KiB are rejected: each list with a selector reads all labels of each object',
  },
  {
    answers: /^limits\/finalizers have a limit together #1$/,
    reason: 'finalizers of more than 256 KiB are rejected: each delete reads them all',
  },
  {
    answers: /^limits\/metadata has limits by number #\d$/,
    reason:
      'more than 5,000 labels, annotations, finalizers or owner references are rejected: each watch, delete and garbage collection reads them all',
  },
  {
    answers: /^formats\/binary bodies #2[12]$/,
    reason: 'what is wrong inside a CBOR body is named as in JSON: the field by its name, not by its place',
  },
  {
    answers: /^health\/healthy, said short #5$/,
    reason: 'the single checks are those of the parts we have; there is no separate check of the log',
  },
  {
    answers: /^decoding\/a body of another kind or version #24$/,
    reason: 'the reference still knows the beta version of Lease, which it serves no more',
  },
  {
    answers: /^authentication\/who am I #9$/,
    reason: 'the same of the beta version of SelfSubjectReview',
  },
  {
    answers: /^list-paging\/one namespace by its field, in pages #5$/,
    reason: 'page two of the reference repeats page one; ours goes on where the token says',
  },
  {
    answers: /^impersonation\/who may not be somebody else is told of the first right that is missing #5$/,
    reason: 'a byte of a header that is no UTF-8 is shown as U+FFFD, not by its number',
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
    answers: /^flowschemas\/(created|updated|deleted)/,
    reason:
      'a new schema is told whether its level exists a moment later, and ours sooner than the reference',
  },
  {
    answers: /^fairness\/what every server has cannot be changed, the rest can #(1|2|3|8|9|10)$/,
    reason: 'the message prints the inside of a Go struct; ours leaves the rules out',
  },
  {
    answers:
      /^(nodes\/what stays #7|resourcequotas\/(limits #2|a bad status: a status is written beside the rest, and neither writes the other #2))$/,
    reason: 'an amount is kept as it is written out (1500m), and so shown otherwise than it came (1.5)',
  },
  {
    answers: /^services\/a status is written beside the rest, and neither writes the other #7$/,
    reason: 'the reference creates a service through its status, without an address; ours is not found',
  },
  {
    answers: /^ipaddresses\/names are addresses in their canonical form #23$/,
    reason: 'a name is generated before it is refused, where the reference generates none for addresses',
  },
  {
    answers: /^persistentvolumeclaims\/the source of the data stays #2$/,
    reason: 'one refusal that comes twice is told apart by the address of a Go pointer in it',
  },
  {
    answers: /^cronjobs\/time zones #(16|34|36|37|40)$/,
    reason:
      'the reference looks time zones up as files of its machine: Factory, posix/UTC, directories and other files are there for it alone',
  },
  {
    answers: /^daemonsets\/created, read in every form, listed #(6|7|11|13)$/,
    reason:
      'the annotation that counts templates is part of the metadata in every form; the reference leaves it out of Table and PartialObjectMetadata',
  },
  {
    answers: /^horizontalpodautoscalers\/annotations of v1 become fields #1$/,
    reason: 'the message prints the inside of a Go struct, which differs for a quantity that was never set',
  },
  {
    answers: /^jobs\/selected by success #4$/,
    reason:
      'an unknown field selector is refused in the same words for every kind; the reference has its own for Job',
  },
  {
    answers: /^jobs\/what may change while it (runs #5|is suspended #6)$/,
    reason: 'the message prints the whole template as a Go struct; ours shows it as JSON',
  },
  {
    answers: /^custom-objects\/an object of the API within another #6$/,
    reason:
      'unknown fields are named in the order they were sent; the reference names those of inner metadata last',
  },
  {
    answers: /^custom-objects\/scale #16$/,
    reason: 'the message shows the Scale without its owners, as the Scale itself is shown',
  },
  {
    answers: /^custom-objects\/versions #1[45]$/,
    reason:
      'who owns what survives a patch in another version; the reference loses all of it where that version knows fewer fields',
  },
  {
    answers: /^resourceslices\/selected by node and driver #8$/,
    reason:
      'an unknown field selector is refused in the same words for every kind; the reference has its own for ResourceSlice',
  },
  {
    answers: /^pod-spec-containers\/resources #9$/,
    reason: 'the message prints the inside of a Go struct, whose scale depends on how the text was written',
  },
  {
    answers: /^pod-spec-security\/annotations that mean something #38$/,
    reason: 'annotations that held init containers before release 1.8 are kept; the reference takes them off',
  },
  {
    answers: /^pods\/selected by fields #17$/,
    reason: 'spec.host, which spec.nodeName was called before release 1.0, is no field to select by',
  },
  {
    answers: /^horizontalpodautoscalers\/an average beside no value comes back from v1 #3$/,
    reason:
      'the reference refuses what it has just answered: a value of 0 in an annotation that stands for none',
  },
  {
    answers: /^patch-json\/members, there or not #20$/,
    reason:
      'a test compares what texts say; the reference compares how they are written, and writes < as \\u003c',
  },
  {
    answers: /^patch-merge\/what is merged, replaced and taken away #38$/,
    reason: 'a dry run of the reference shows a selfLink that it would not store',
  },
  {
    answers: /^patch-kinds\/Job #10$/,
    reason: 'the message prints the whole template as a Go struct; ours shows it as JSON',
  },
  {
    answers: /^apply-bodies\/texts that are no intent #19$/,
    reason: 'a text in UTF-16 is no YAML to us, whichever character of it is broken off',
  },
  {
    answers: /^apply-types\/scalars where other scalars belong #18$/,
    reason: 'a number too large for its field is refused; the reference keeps what is left of its lower bits',
  },
  {
    answers: /^managed-fields-writes\/an amount that is written otherwise .* #2$/,
    reason:
      'the reference takes the same amount in other words for a change if it lies in a list that is owned as one',
  },
  {
    answers: /^apply-kinds\/PersistentVolumeClaim #2$/,
    reason: 'the reference stores a claim anew when it is first written without a change',
  },
  {
    answers: /^horizontalpodautoscalers\/v1 keeps in annotations what it cannot say #[56]$/,
    reason:
      'v1 brings the metrics into another order; the reference does so with the old state too before it looks for changes, so who set them in v2 keeps them',
  },
  {
    answers: /^devicetaintrules\/taints #2$/,
    reason: 'the time at which a taint was added belongs to nobody: it is set when the object is stored',
  },
  {
    answers: /^patch-limits\/keys that come twice #([89]|1[236])$/,
    reason:
      'a key that comes twice in a value of a step, or in one that comes again itself, is told once, or not at all',
  },
  {
    answers: /^patch-versions\/an autoscaler in both versions #9$/,
    reason: 'a patch in one version of a kind makes no object of another version',
  },
  {
    answers: /^apply-subresources\/scale: who keeps the replicas that an update gave #[234]$/,
    reason:
      'who owns the replicas by an update keeps them with all else when somebody writes the same number to scale; the reference splits the entry in two of one name, and loses one at the next write',
  },
  {
    answers: /^webhooks\/an answer that redirects #3$/,
    reason: 'the reference follows a webhook wherever it leads, and sends it the object there; ours does not',
  },
  {
    answers: /^crd-conversions\/an answer that has no kind #[789]$/,
    reason:
      'what a webhook answered is quoted as it came, in the order of keys in which it was asked: ours is not by name',
  },
  {
    answers: /^crd-conversions\/two owners that update, each in its version #12$/,
    reason:
      'a webhook that leaves in an object what its new version does not know makes the reference forget all owners; ours are kept',
  },
  {
    answers: /^crd-conversions\/watches of what cannot be converted #[689]$/,
    reason:
      'a watch that comes to an object that its webhook cannot convert ends and says why; the reference keeps silent until its time is up',
  },
  {
    answers: /^aggregated-server\/the aggregated server gets the identity of the caller #5$/,
    reason: 'a query is passed on as the client wrote it; the reference writes it anew',
  },
  {
    answers: /^aggregated-server\/a certificate for another name, or of another authority #(8|14)$/,
    reason: 'of what is wrong with a certificate in two ways, the reference names the one and ours the other',
  },
  {
    answers: /^aggregated-server\/what it serves is announced #5$/,
    reason:
      'where the one document of a server leaves out a version that it serves, ours asks for the list of that version',
  },
  {
    answers: /^limits\/a body of 3 MiB is read, a longer one is not #5$/,
    reason: 'the body of a delete is not stored: its limit is 256 KiB',
  },
  {
    answers: /^reviews\/very many elements #[23]$/,
    reason:
      'a body that is not stored may have 10,000 fields and list items, and 256 KiB: the thread that serves all clients decodes it',
  },
];
