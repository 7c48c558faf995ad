import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FailureReason, FileProblemCode, LabReport } from '@salus/lab-report-parser'
import type { Command } from 'commander'
import { CliError } from '../terminal/cli-error.ts'
import { readInput } from '../terminal/input.ts'
import { untilInterrupted } from '../terminal/interruption.ts'
import { formatHeader, formatResults } from './lab-report-table.ts'

interface Options {
  json?: boolean
  png?: string
}

const HELP = `
Examples:
  $ salus parse report.pdf
  $ salus parse page-1.jpg page-2.jpg --png read.png

Works on this machine without a server, and stores nothing. Several images are
the pages of one report. H and L are beyond the printed range, ! is marked
abnormal otherwise or critical; a LOINC code with ? is the best of several.`

const LIMITS = { processes: 1, memoryMb: 1500, timeoutMs: 300_000, idleMs: 1000 }

const FILE_PROBLEMS: Record<FileProblemCode, string> = {
  unsupported_file_type: 'Only PDF, JPEG and PNG files are supported.',
  empty_file: 'The file is empty.',
  pdf_in_multi_upload: 'Several files must be images: a PDF is a report of its own.',
  unreadable_file: 'The file is damaged, encrypted or protected from reading.',
  too_many_pages: 'The document has too many pages: a PDF can have 20, or there can be 8 images.',
}

const FAILURES: Record<FailureReason, string> = {
  invalid_input: 'The file contains no laboratory report with results.',
  low_quality: 'The text is not legible. Try a sharper, larger or better lit picture.',
  not_english: 'The language of the report is not supported.',
  too_many_pages: 'The document has too many pages.',
  processing_error: 'The report could not be read: the reader crashed, or took too long.',
}

export function addParseCommand(program: Command): void {
  program
    .command('parse')
    .description('read a laboratory report, on this machine')
    .argument(
      '<file...>',
      'a PDF, or images (JPEG, PNG) that are the pages of one report; - is stdin',
    )
    .option('--json', 'print all that was read as JSON')
    .option(
      '--png <path>',
      'write each page as a picture with a frame around everything that was read',
    )
    .addHelpText('after', HELP)
    .action(async (paths: string[], options: Options) => {
      const files = await Promise.all(paths.map(readInput))
      const report = await untilInterrupted(
        () => 'Stopped.',
        (signal) => parseFiles(files, signal),
      )
      console.log(options.json ? JSON.stringify(report, null, 2) : formatReport(report))
      if (options.png !== undefined) await writePages(files, report, options.png)
    })
}

async function parseFiles(files: readonly Uint8Array[], signal: AbortSignal): Promise<LabReport> {
  // Loaded here only, so that other commands start faster.
  const { createLabReportParser, FileProblem } = await import('@salus/lab-report-parser')
  const parser = createLabReportParser(LIMITS)
  try {
    await parser.inspect(files)
    const outcome = await parser.parse(files, { signal, onProgress: showProgress })
    if (outcome.status === 'parsed') return outcome.report
    throw new CliError(FAILURES[outcome.reason])
  } catch (error) {
    if (error instanceof FileProblem) throw new CliError(FILE_PROBLEMS[error.code])
    throw error
  } finally {
    await parser.close()
  }
}

/** Recognizing the text of a picture takes a second or two a page. */
function showProgress({ page, pages }: { page: number; pages: number }): void {
  if (process.stderr.isTTY && pages > 1) console.error(`Reading page ${page} of ${pages} …`)
}

function formatReport(report: LabReport): string {
  const { results, pages } = report
  const kinds = new Set(pages.map(({ source }) => source))
  const how = kinds.has('text_layer') ? (kinds.size > 1 ? 'in part ' : '') : ''
  const recognized = kinds.has('recognized') ? `, ${how}recognized in pictures` : ''
  const count = `${results.length} ${results.length === 1 ? 'result' : 'results'}`
  const where = `${pages.length} ${pages.length === 1 ? 'page' : 'pages'}`
  return [
    formatHeader(report),
    '',
    formatResults(results),
    '',
    `${count} on ${where}${recognized}.`,
  ].join('\n')
}

/**
 * Writes the pages: one picture has the given name; several have their page number before the
 * ending.
 */
async function writePages(
  files: readonly Uint8Array[],
  report: LabReport,
  path: string,
): Promise<void> {
  const { annotatePages } = await import('@salus/lab-report-parser')
  const ending = extname(path)
  const base = path.slice(0, path.length - ending.length)
  for await (const { number, png } of annotatePages(files, report)) {
    const target = report.pages.length === 1 ? path : `${base}-${number}${ending || '.png'}`
    try {
      await writeFile(target, png)
    } catch (error) {
      throw new CliError(`Cannot write ${target}: ${(error as NodeJS.ErrnoException).code}.`)
    }
    console.error(`Wrote ${target}.`)
  }
}
