import { createInterface } from 'node:readline/promises'
import { CliError } from './cli-error.ts'

/**
 * Asks for confirmation at the terminal before something is deleted.
 * @param what Names it, such as `the user`.
 * @param words What else happens to it, in place of the deletion.
 * @throws CliError unless the answer is yes, and where there is no terminal
 */
export async function confirm(
  question: string,
  what: string,
  words = { verb: 'delete', done: 'deleted' },
): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new CliError(
      `There is no terminal for the confirmation. Add --yes to ${words.verb} ${what}.`,
    )
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [y/N] `).finally(() => terminal.close())
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError(`Nothing was ${words.done}.`)
}
