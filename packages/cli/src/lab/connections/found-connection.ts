import type { Command } from 'commander'
import { type Connection, readConnection } from '../../connection/config.ts'
import { type EnvironmentChoice, findEnvironment } from '../../keys/environment-options.ts'

/** Options of commands about one connection to a laboratory. */
export type ConnectionChoice = EnvironmentChoice & { json?: boolean }

/**
 * Returns the server and the path of a connection to a laboratory, which need not exist.
 * @throws CliError when an option is needed to find the environment
 */
export async function findConnection(
  command: Command,
  options: ConnectionChoice,
  name: string,
): Promise<{ connection: Connection; path: string }> {
  const connection = readConnection(command)
  const { path } = await findEnvironment(connection, options)
  return { connection, path: `${path}/lab_connection/${encodeURIComponent(name)}` }
}
