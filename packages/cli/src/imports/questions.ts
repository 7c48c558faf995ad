import { createInterface } from 'node:readline/promises'
import { callApi } from '../connection/api-client.ts'
import { ApiError } from '../connection/api-errors.ts'
import type { Connection } from '../connection/config.ts'
import { CliError } from '../terminal/cli-error.ts'
import { untilInterrupted } from '../terminal/interruption.ts'
import { followImport, type ImportJob, type ImportQuestion, sayImportGoesOn } from './import-job.ts'
import { flagOf, type ImportOptions } from './import-options.ts'

/**
 * Follows an import to its end, with the questions of the file at the terminal.
 * @throws CliError with the command that answers, where there is no terminal
 */
export async function followToEnd(connection: Connection, job: ImportJob): Promise<ImportJob> {
  let current = job
  for (;;) {
    const followed = current
    current = await untilInterrupted(
      () => sayImportGoesOn(followed),
      (signal) => followImport(connection, followed, process.stderr, signal),
    )
    if (current.status !== 'needs_options') return current
    const canAsk = process.stdin.isTTY && process.stderr.isTTY
    if (!canAsk) throw new CliError(describeOpenQuestions(current))
    current = await answerAtTerminal(connection, current)
  }
}

/** Sends the answers to the questions of a job, which continues. */
export function sendAnswers(
  connection: Connection,
  { id, user_id }: Pick<ImportJob, 'id' | 'user_id'>,
  options: ImportOptions,
): Promise<ImportJob> {
  const path = `/v2/user/${user_id}/import/${encodeURIComponent(id)}`
  return callApi<ImportJob>(connection, 'PATCH', path, { body: options })
}

/** Returns what the file leaves open, a line for each question. */
export function describeQuestions(questions: readonly ImportQuestion[]): string {
  return questions
    .map(({ option, reason, choices }) => `  ${exampleOf(option, choices)}  ${reason}`)
    .join('\n')
}

/** Returns an option with its possible values, such as `--weight-unit kg|lb`. */
function exampleOf(option: string, choices: readonly string[] | null): string {
  const free = option === 'time_zone' ? 'ZONE' : 'TEMPLATE'
  return `${flagOf(option)} ${choices?.join('|') ?? free}`
}

function describeOpenQuestions({ id, user_id, questions }: ImportJob): string {
  const examples = questions.map(({ option, choices }) =>
    exampleOf(option, choices?.slice(0, 1) ?? null),
  )
  return [
    'The file leaves a question open, and nothing is stored yet:',
    describeQuestions(questions),
    'The answer continues the import within 7 days, without another upload, such as:',
    `  salus import answer ${id} --user ${user_id} ${examples.join(' ')}`,
  ].join('\n')
}

async function answerAtTerminal(connection: Connection, job: ImportJob): Promise<ImportJob> {
  const answers: Record<string, string> = {}
  for (const question of job.questions) answers[question.option] = await askQuestion(question, job)
  try {
    return await sendAnswers(connection, job, answers)
  } catch (error) {
    // A mistyped zone is put once more.
    if (!(error instanceof ApiError) || error.errorType !== 'unknown_time_zone') throw error
    console.error(error.message)
    return job
  }
}

async function askQuestion(
  { option, reason, choices }: ImportQuestion,
  job: ImportJob,
): Promise<string> {
  console.error(`\n${reason}`)
  choices?.forEach((choice, index) => {
    console.error(`  ${index + 1}  ${choice}`)
  })
  const hint = choices === null ? hintOf(option) : `1 to ${choices.length}`
  for (;;) {
    const text = await readLine(`${option} (${hint}): `, job)
    const chosen = choices === null ? text : (choices[Number(text) - 1] ?? text)
    if (chosen !== '' && (choices === null || choices.includes(chosen))) return chosen
  }
}

const hintOf = (option: string): string =>
  option === 'time_zone' ? 'such as Europe/Berlin, or floating for none' : 'id'

/** @throws CliError with the command that answers later, after Ctrl-C or Ctrl-D */
async function readLine(prompt: string, job: ImportJob): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const stopped = new AbortController()
  terminal.once('SIGINT', () => stopped.abort()).once('close', () => stopped.abort())
  try {
    return (await terminal.question(prompt, { signal: stopped.signal })).trim()
  } catch (cause) {
    console.error('')
    throw new CliError(describeOpenQuestions(job), { cause })
  } finally {
    terminal.close()
  }
}
