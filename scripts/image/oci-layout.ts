// Writes an OCI image as a tar file with an image layout, which Docker, Podman and skopeo load.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

interface Layer {
  /** The root of the image's files. */
  readonly folder: string;
  /** The files and folders in it, with their content. */
  readonly paths: readonly string[];
  /** User and group of these files. */
  readonly owner: number;
}

export interface Image {
  readonly target: string;
  readonly layers: readonly Layer[];
  /** The `config` of the image: user, entry point, environment. */
  readonly configuration: object;
  /** `name:tag`. */
  readonly tag: string;
}

/** A blob by its digest. */
interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const mediaType = (kind: string) => `application/vnd.oci.image.${kind}`;

/** Resolves with the size of the file. Files have no time, so that equal content gives an equal image. */
export function writeImage({ target, layers, configuration, tag }: Image): number {
  const layout = mkdtempSync(join(tmpdir(), 'orch-image-'));
  try {
    mkdirSync(join(layout, 'blobs/sha256'), { recursive: true });
    const put = (kind: string, content: Buffer): Descriptor => {
      const hash = sha256(content);
      writeFileSync(join(layout, 'blobs/sha256', hash), content);
      return { mediaType: mediaType(kind), digest: `sha256:${hash}`, size: content.length };
    };
    const tars = layers.map(tarOf);
    const config = put(
      'config.v1+json',
      toJson({
        architecture: architectures[process.arch],
        os: 'linux',
        config: configuration,
        rootfs: { type: 'layers', diff_ids: tars.map((tar) => `sha256:${sha256(tar)}`) },
      }),
    );
    const compressed = tars.map((tar) => put('layer.v1.tar+gzip', gzipSync(tar)));
    const manifest = put(
      'manifest.v1+json',
      toJson({ schemaVersion: 2, mediaType: mediaType('manifest.v1+json'), config, layers: compressed }),
    );
    const annotations = { 'org.opencontainers.image.ref.name': tag, 'io.containerd.image.name': tag };
    const index = {
      schemaVersion: 2,
      mediaType: mediaType('index.v1+json'),
      manifests: [{ ...manifest, annotations }],
    };
    writeFileSync(join(layout, 'index.json'), toJson(index));
    writeFileSync(join(layout, 'oci-layout'), toJson({ imageLayoutVersion: '1.0.0' }));
    execFileSync('tar', ['--sort=name', '--mtime=@0', '-cf', target, '-C', layout, '.']);
    return statSync(target).size;
  } finally {
    rmSync(layout, { recursive: true, force: true });
  }
}

function tarOf({ folder, paths, owner }: Layer): Buffer {
  const words = ['--sort=name', '--mtime=@0', '--numeric-owner', `--owner=${owner}`, `--group=${owner}`];
  const file = `${folder}.tar`;
  execFileSync('tar', [...words, '-cf', file, '-C', folder, ...paths]);
  const content = readFileSync(file);
  rmSync(file);
  return content;
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const toJson = (value: object) => Buffer.from(JSON.stringify(value));
