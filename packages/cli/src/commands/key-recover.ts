import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { CliError } from '../cli-error.ts'
import { readDataDirectory } from '../config.ts'

/** A part of the server: whoever lost every key can only turn to its database. */
const PROGRAM = fileURLToPath(new URL('../../../server/bin/recover-keys.mjs', import.meta.url))

export function addKeyRecoverCommand(parent: Command): void {
  parent
    .command('recover')
    .description('make new keys when keys.json is lost, on the machine of the server')
    .action(async (_options: object, command: Command) => {
      const dataDirectory = resolve(readDataDirectory(command))
      if (!existsSync(dataDirectory)) {
        throw new CliError(`There is no ${dataDirectory}. Name the data directory with --data-dir.`)
      }
      const program = spawn(process.execPath, [PROGRAM, dataDirectory], { stdio: 'inherit' })
      const [code] = await once(program, 'close')
      process.exitCode = code ?? 1
    })
}
