/** A segment as its fields; the first one is its name, so that `fields[5]` of OBX is OBX-5. */
export interface ParsedSegment {
  name: string
  fields: string[]
}

/**
 * Parses a message with the usual separators, independently of the reader of the service. MSH-1 is
 * counted, so that `fields[9]` of MSH is MSH-9.
 */
export function parseMessage(content: Buffer): ParsedSegment[] {
  return content
    .toString('utf8')
    .split(/\r\n?|\n/)
    .filter((line) => line !== '')
    .map((line) => {
      const fields = line.split('|')
      if (fields[0] === 'MSH') fields.splice(1, 0, '|')
      return { name: fields[0] as string, fields }
    })
}

/** Returns the only segment of a name. @throws Error for none or several */
export function only(segments: readonly ParsedSegment[], name: string): ParsedSegment {
  const found = segments.filter((segment) => segment.name === name)
  if (found.length !== 1) throw new Error(`${found.length} segments ${name}`)
  return found[0] as ParsedSegment
}
