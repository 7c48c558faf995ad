import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import type { ZipFile } from 'yauzl'
import { CliError } from '../../terminal/cli-error.ts'
import { nameOfInput, readInput } from '../../terminal/input.ts'

const startsWith = (bytes: Buffer, ...start: number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte)

/**
 * The texts of a file as an authority publishes it: a text, the same with gzip, or a zip that holds
 * it among others. The kind is told by the content.
 * @param wanted What the entries of a zip are called, by what they are.
 * @returns the texts by what they are; a file that is no zip is taken to be the first kind
 * @throws CliError for what is not there or cannot be read
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
  // Other commands start faster when they need not load it.
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

/** UTF-8, or Latin-1 where it is none. */
function toText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}
