// Schemas of API types that belong to no kind: WatchEvent, Patch and the version info.
import { rawExtension } from '../../schema/raw.ts';
import { string } from '../../schema/scalars.ts';
import { field, struct } from '../../schema/struct.ts';

export const WatchEvent = struct(
  'meta/v1.WatchEvent',
  {
    type: field(1, string, { required: true, doc: 'ADDED, MODIFIED, DELETED, BOOKMARK or ERROR.' }),
    object: field(2, rawExtension, {
      required: true,
      doc: 'The object as it is now, or was last; with BOOKMARK only its resourceVersion, with ERROR a Status.',
    }),
  },
  { doc: 'One change that a watch reports.' },
);

export const Patch = struct(
  'meta/v1.Patch',
  {},
  { doc: 'A change to an object, in the form that the media type names.' },
);

const versionPart = (number: number, doc: string, required = true) =>
  field(number, string, { required, doc });

export const VersionInfo = struct(
  'version.Info',
  {
    major: versionPart(1, 'First part of the release of the API.'),
    minor: versionPart(2, 'Second part of the release of the API.'),
    emulationMajor: versionPart(3, 'First part of the release that the server behaves like.', false),
    emulationMinor: versionPart(4, 'Second part of the release that the server behaves like.', false),
    minCompatibilityMajor: versionPart(5, 'First part of the oldest release it gets along with.', false),
    minCompatibilityMinor: versionPart(6, 'Second part of the oldest release it gets along with.', false),
    gitVersion: versionPart(7, 'The release of the API and of the server.'),
    gitCommit: versionPart(8, 'The commit the server was built from, where it says.'),
    gitTreeState: versionPart(9, 'Whether the checkout was clean when it was built, where it says.'),
    buildDate: versionPart(10, 'When the server was built.'),
    goVersion: versionPart(11, 'What runs the server.'),
    compiler: versionPart(12, 'What translates its code.'),
    platform: versionPart(13, 'Operating system and processor.'),
  },
  { doc: 'Which release of the API this is, and what runs it.' },
);
