import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import type { ZipFile } from 'yauzl'
import { CliError } from '../../terminal/cli-error.ts'
import { nameOfInput, readInput } from '../../terminal/input.ts'

const startsWith = (bytes: Buffer, ...start: number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte)

/**
 * Reads the texts of a file as an authority publishes it: a text, a gzipped text, or a zip with
 * several. The content decides, not the name.
 * @param wanted Name patterns of the entries of a zip, by kind.
 * @returns the texts by kind; a file that is not a zip is of the first kind
 * @throws CliError for a file that does not exist or cannot be read
 */
export async function readPublishedFile<Kind extends string>(
  path: string,
  wanted: Readonly<Record<Kind, RegExp>>,
): Promise<Partial<Record<Kind, string>>> {
  const bytes = await readInput(path)
  try {
    if (startsWith(bytes, 0x50, 0x4b)) return await readZip(bytes, wanted)
    const text = toText(startsWith(bytes, 0x1f, 0x8b) ? gunzipSync(bytes) : bytes)
    const [first] = Object.keys(wanted) as Kind[]
    return { [first as Kind]: text } as Partial<Record<Kind, string>>
  } catch (cause) {
    throw new CliError(`${nameOfInput(path)} cannot be unpacked: ${(cause as Error).message}.`, {
      cause,
    })
  }
}

async function readZip<Kind extends string>(
  bytes: Buffer,
  wanted: Readonly<Record<Kind, RegExp>>,
): Promise<Partial<Record<Kind, string>>> {
  // Loaded here only, so that other commands start faster.
  const { fromBufferPromise } = await import('yauzl')
  const zip: ZipFile = await fromBufferPromise(bytes, { lazyEntries: true })
  const texts: Partial<Record<Kind, string>> = {}
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName.slice(entry.fileName.lastIndexOf('/') + 1)
    for (const kind of Object.keys(wanted) as Kind[]) {
      if (texts[kind] !== undefined || !wanted[kind].test(name)) continue
      texts[kind] = toText(await buffer(await zip.openReadStreamPromise(entry)))
    }
  }
  return texts
}

/** Decodes UTF-8, or Latin-1 where it is not UTF-8. */
function toText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}
