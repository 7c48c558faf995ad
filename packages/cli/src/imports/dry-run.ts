import type { Command } from 'commander'
import { readConnection } from '../connection/config.ts'
import { runServerProgram } from '../operation/server-program.ts'
import { CliError } from '../terminal/cli-error.ts'
import { STDIN } from '../terminal/input.ts'
import type { ImportFileOptions } from './import-file.ts'
import type { ImportJob, ImportQuestion } from './import-job.ts'
import type { ImportOptions } from './import-options.ts'
import { formatCounts } from './import-summary.ts'
import { describeQuestions } from './questions.ts'
import { type CsvTemplate, findTemplate, readTemplateFile } from './templates.ts'
import { measureFile } from './upload-file.ts'

/** What the program of the server found. */
interface MappedFile {
  format: string
  title: string
  provider: string
  questions: ImportQuestion[]
  progress: ImportJob['progress']
}

/**
 * Reads a file as the server would, on this machine, and prints what it would become.
 * @throws CliError when the file leaves a question open
 */
export async function dryRun(
  command: Command,
  path: string,
  given: ImportFileOptions,
  options: ImportOptions,
): Promise<void> {
  await measureFile(path)
  const template = given.template && (await loadTemplate(command, given.template))
  const format = given.format ?? (template ? 'csv' : undefined)
  const isJson = given.json ?? false
  const found = await askProgram<MappedFile>(command, {
    ...{ action: 'map', path, isJson },
    ...(format !== undefined && { format }),
    options: { ...options, ...(template && { template }) },
  })
  if (found === undefined) return
  const { title, provider, questions, progress } = found
  const name = path === STDIN ? 'stdin' : path
  const headline = `${name} is: ${title} (${found.format}), provider ${provider}.`
  if (questions.length > 0) {
    const open = 'It leaves a question open. Run the command again with:'
    throw new CliError(`${headline} ${open}\n${describeQuestions(questions)}`)
  }
  if (isJson) return console.error(headline)
  console.log([headline, formatCounts({ source: found.format, progress })].join('\n\n'))
  console.log('\nNothing was stored. "Imported" is what a first import would store.')
}

/** Returns the template of a JSON file, or a saved one. */
export async function loadTemplate(command: Command, name: string): Promise<CsvTemplate> {
  const file = await readTemplateFile(name)
  if (file !== undefined) return file.template
  return (await findTemplate(readConnection(command), name)).template
}

/**
 * Runs the program of the server that reads files.
 * @returns Its answer; undefined when it failed, of which it has printed the reason.
 */
export async function askProgram<Answer>(
  command: Command,
  request: object,
): Promise<Answer | undefined> {
  let found: Answer | undefined
  await runServerProgram(command, 'map-file.mjs', [JSON.stringify(request)], {
    needsDirectory: false,
    onMessage: (message) => {
      found = message as Answer
    },
  })
  return found
}
