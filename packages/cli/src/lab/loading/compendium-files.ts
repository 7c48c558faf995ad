import { basename } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { ZipFile } from 'yauzl'
import { CliError } from '../../terminal/cli-error.ts'
import { readInput } from '../../terminal/input.ts'

const ZIP_START = Buffer.from([0x50, 0x4b, 0x03, 0x04])
/** An entry of every workbook, which is a zip too. */
const WORKBOOK_PART = '[Content_Types].xml'
/** Unpacked: a zip could unpack to more than the memory has. */
const MOST_BYTES = 512 * 1024 ** 2

/**
 * Reads the files of a compendium by their names without folders. A zip stands for its files.
 * @throws CliError for a file that cannot be read or is a workbook, and for two files of one name
 */
export async function readCompendiumFiles(paths: readonly string[]): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const add = (name: string, content: Buffer): void => {
    if (files.has(name)) throw new CliError(`Two files are named ${name}.`)
    files.set(name, content)
  }
  for (const path of paths) {
    const content = await readInput(path)
    if (content.subarray(0, ZIP_START.length).equals(ZIP_START)) await unpack(path, content, add)
    else add(basename(path), content)
  }
  return files
}

async function unpack(
  path: string,
  bytes: Buffer,
  add: (name: string, content: Buffer) => void,
): Promise<void> {
  // Loaded here only, so that other commands start faster.
  const { fromBufferPromise } = await import('yauzl')
  try {
    const zip: ZipFile = await fromBufferPromise(bytes, { lazyEntries: true })
    let total = 0
    for await (const entry of zip.eachEntry()) {
      const name = basename(entry.fileName)
      if (entry.fileName.endsWith('/')) continue
      if (name === WORKBOOK_PART) throw new CliError(`${path} is a workbook. Save it as CSV UTF-8.`)
      total += entry.uncompressedSize
      if (total > MOST_BYTES) throw new CliError(`${path} unpacks to more than 512 MB.`)
      add(name, await buffer(await zip.openReadStreamPromise(entry)))
    }
  } catch (cause) {
    if (cause instanceof CliError) throw cause
    throw new CliError(`${path} cannot be unpacked: ${(cause as Error).message}.`, { cause })
  }
}
