/** As upstream writes a path: what is neither unreserved nor has a meaning in paths is escaped. */
export function escapePath(path: string): string {
  return encodeURIComponent(path)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%(24|26|2B|2C|2F|3A|3B|3D|40)/g, (escaped) => decodeURIComponent(escaped));
}
