// Schemas of API types that belong to no kind: WatchEvent, Patch and the version info.
import { rawExtension } from '../../schema/collections.ts';
import { string } from '../../schema/scalars.ts';
import { field, struct } from '../../schema/struct.ts';

export const WatchEvent = struct(
  'meta/v1.WatchEvent',
  {
    type: field(1, string, { required: true, doc: 'ADDED, MODIFIED, DELETED, BOOKMARK or ERROR.' }),
    object: field(2, rawExtension, {
      required: true,
      doc: 'The new state of the object, or its last state on DELETED. BOOKMARK: only the resourceVersion; ERROR: a Status.',
    }),
  },
  { doc: 'An event of a watch.' },
);

export const Patch = struct(
  'meta/v1.Patch',
  {},
  { doc: 'A patch of an object. The media type determines its format.' },
);

const versionPart = (number: number, doc: string, { required } = { required: true }) =>
  field(number, string, { required, doc });
const optional = { required: false };

export const VersionInfo = struct(
  'version.Info',
  {
    major: versionPart(1, 'The major version of the API.'),
    minor: versionPart(2, 'The minor version of the API.'),
    emulationMajor: versionPart(3, 'The major version that the server emulates.', optional),
    emulationMinor: versionPart(4, 'The minor version that the server emulates.', optional),
    minCompatibilityMajor: versionPart(5, 'The major version of the oldest compatible release.', optional),
    minCompatibilityMinor: versionPart(6, 'The minor version of the oldest compatible release.', optional),
    gitVersion: versionPart(7, 'The version of the API and of the server.'),
    gitCommit: versionPart(8, 'The commit that the server was built from, if known.'),
    gitTreeState: versionPart(9, 'Whether the work tree was clean at build time, if known.'),
    buildDate: versionPart(10, 'When the server was built.'),
    goVersion: versionPart(11, 'The runtime of the server.'),
    compiler: versionPart(12, 'The compiler of the server.'),
    platform: versionPart(13, 'The operating system and processor architecture.'),
  },
  { doc: 'The version of the server.' },
);
