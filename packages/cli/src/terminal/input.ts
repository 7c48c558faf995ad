import { readFile } from 'node:fs/promises'
import { CliError } from './cli-error.ts'

/** Path that stands for stdin. */
export const STDIN = '-'

/**
 * Reads a whole file, or all of stdin. @throws CliError for a file that does not exist or cannot be
 * read
 */
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

/** Returns the name of a file in messages. */
export const nameOfInput = (path: string): string => (path === STDIN ? 'stdin' : path)
