import { readFile } from 'node:fs/promises'
import { CliError } from './cli-error.ts'

/** What a path has to be so that stdin is read in its place. */
export const STDIN = '-'

/** A whole file, or all of stdin. @throws CliError for what is not there or cannot be read */
export async function readInput(path: string): Promise<Buffer> {
  if (path === STDIN) return Buffer.concat(await Array.fromAsync<Buffer>(process.stdin))
  try {
    return await readFile(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new CliError(`There is no file ${path}.`, { cause })
    throw new CliError(`${path} cannot be read (${code}).`, { cause })
  }
}

/** How remarks call a file. */
export const nameOfInput = (path: string): string => (path === STDIN ? 'stdin' : path)
