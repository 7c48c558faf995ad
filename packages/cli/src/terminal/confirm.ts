import { createInterface } from 'node:readline/promises'
import { CliError } from './cli-error.ts'

/**
 * Asks for confirmation at the terminal before something is deleted.
 * @param what Names it, such as `the user`.
 * @throws CliError unless the answer is yes, and where there is no terminal
 */
export async function confirm(question: string, what: string): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new CliError(`There is no terminal for the confirmation. Add --yes to delete ${what}.`)
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [y/N] `).finally(() => terminal.close())
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Nothing was deleted.')
}
