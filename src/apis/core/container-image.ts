// Container image references: parses the tag, which decides the default imagePullPolicy.

/**
 * Returns the tag of an image reference: `latest` if it has neither tag nor digest, '' if it has only a digest, and
 * undefined if the reference is invalid.
 */
export function imageTag(image: string): string | undefined {
  if (image.length > maxReferenceLength || bareDigest.test(image)) return undefined;
  const { name, tag, digest } = reference.exec(image)?.groups ?? {};
  if (name === undefined || (digest !== undefined && !supportedDigest.test(digest))) return undefined;
  const path = repositoryPath(name);
  if (path.length > maxPathLength || !repository.test(path)) return undefined;
  if (tag !== undefined) return tag;
  return digest === undefined ? 'latest' : '';
}

/** The name without the registry. Docker's familiar names are expanded: `nginx` means docker.io/library/nginx. */
function repositoryPath(name: string): string {
  const slash = name.indexOf('/');
  if (slash < 0) return `library/${name}`;
  return isRegistry(name.slice(0, slash)) ? name.slice(slash + 1) : name;
}

/**
 * The part before the first slash is a registry only if it cannot be part of a path: by its characters, or as
 * `localhost`.
 */
function isRegistry(text: string): boolean {
  const looksLikeHost = /[.:A-Z]/.test(text) || text === 'localhost';
  return looksLikeHost && host.test(text);
}

const maxPathLength = 255;
/** Upper bound on a reference: host, path, tag and the longest digest. */
const maxReferenceLength = 1024;
const reference = /^(?<name>[^@]*?)(?::(?<tag>\w[\w.-]{0,127}))?(?:@(?<digest>[^@]*))?$/;
/** 64 hex digits look like an image ID, so they are no valid repository name. */
const bareDigest = /^[0-9a-f]{64}$/;
const supportedDigest = /^(?:sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128})$/;
const hostPart = '(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)';
const host = new RegExp(`^(?:${hostPart}(?:\\.${hostPart})*|\\[[0-9A-Fa-f:]+\\])(?::[0-9]+)?$`);
const pathPart = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const repository = new RegExp(`^${pathPart}(?:/${pathPart})*$`);
