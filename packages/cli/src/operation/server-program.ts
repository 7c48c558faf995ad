import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { readDataDirectory } from '../connection/config.ts'
import { CliError } from '../terminal/cli-error.ts'

interface ProgramOptions {
  /** Called with the messages of the program. */
  onMessage?: (message: unknown) => void
  /** Whether the program creates the data directory. */
  makesDirectory?: boolean
  /** Whether the program gets the data directory as its first argument. */
  needsDirectory?: boolean
}

/** Runs a program of the server that works on its database, on the machine of the server. */
export async function runServerProgram(
  command: Command,
  name: string,
  values: readonly string[] = [],
  { onMessage, makesDirectory = false, needsDirectory = true }: ProgramOptions = {},
): Promise<void> {
  const path = fileURLToPath(new URL(`../../../server/bin/${name}`, import.meta.url))
  const directory = needsDirectory ? [findDirectory(command, makesDirectory)] : []
  const program = spawn(process.execPath, [path, ...directory, ...values], {
    stdio: ['inherit', 'inherit', 'inherit', ...(onMessage ? ['ipc' as const] : [])],
  })
  if (onMessage) program.on('message', onMessage)
  // A terminal sends Ctrl-C to both, a supervisor only to this process. The program stops first.
  const pass = (signal: NodeJS.Signals): void => void program.kill(signal)
  process.on('SIGINT', () => {}).on('SIGTERM', pass)
  const [code] = await once(program, 'close')
  process.exitCode = code ?? 1
}

function findDirectory(command: Command, makesDirectory: boolean): string {
  const directory = resolve(readDataDirectory(command))
  if (makesDirectory || existsSync(directory)) return directory
  throw new CliError(`There is no ${directory}. Name the data directory with --data-dir.`)
}
