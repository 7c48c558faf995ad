import { CommanderError } from 'commander'
import { UnreachableError } from './connection/api-errors.ts'
import { buildProgram } from './program.ts'
import { CliError } from './terminal/cli-error.ts'
import { InterruptedError } from './terminal/interruption.ts'

// `salus users list | head` closes the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

try {
  await buildProgram().parseAsync()
} catch (error) {
  // Commander has printed the error; --help and --version are no errors.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2)
  if (error instanceof CliError) console.error(`salus: ${error.message}`)
  else console.error(error)
  // The usual exit code for Ctrl-C; open work is not awaited.
  if (error instanceof InterruptedError) process.exit(130)
  process.exitCode = error instanceof UnreachableError ? 3 : 1
}
