import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes of the longest path of a socket, with the zero at its end. */
const MOST_PATH_BYTES = process.platform === 'linux' ? 108 : 104
const PREFIX = '.s.PGSQL.'
const HIGHEST_PORT = 65_535

/** Returns the path of the socket of a server that listens on a port. */
const socketPath = (directory: string, port: number): string => join(directory, `${PREFIX}${port}`)

/**
 * Whether a server can have its socket in the folder: its path may be too long, and PostgreSQL's
 * list of folders cannot have a quotation mark.
 */
export const mayHaveSocket = (directory: string): boolean =>
  process.platform !== 'win32' &&
  !directory.includes('"') &&
  Buffer.byteLength(socketPath(directory, HIGHEST_PORT)) < MOST_PATH_BYTES

/** Removes what a crash of the machine left: each start has another port, and so another socket. */
export function removeSockets(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (name.startsWith(PREFIX)) rmSync(join(directory, name), { force: true })
  }
}

/**
 * Returns the addresses of a server, the better one first: that of its socket, if there is one, and
 * that of TCP. `host` in the query, which counts more than the name before the port, is the folder.
 */
export function withSocket(url: string, directory: string, port: number): string[] {
  const hasSocket = existsSync(socketPath(directory, port))
  return [...(hasSocket ? [`${url}?host=${encodeURIComponent(directory)}`] : []), url]
}
