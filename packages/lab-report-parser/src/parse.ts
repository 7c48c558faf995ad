import { judgeResults } from './certainty/judge-results.ts'
import { describeRow } from './describe-row.ts'
import { readHeader, readPatientHints } from './header/read-header.ts'
import { cleanImage } from './image/clean-image.ts'
import { composeMaps, scaleMap } from './image/homography.ts'
import { isLabReport } from './is-lab-report.ts'
import { detectLanguage } from './language/detect-language.ts'
import type { PageText } from './pages/page.ts'
import { readSourcePages, type SourcePage } from './pages/read-pages.ts'
import type { Recognizer } from './recognition/recognizer.ts'
import { readResults } from './regions/read-results.ts'
import {
  EngineProblem,
  type FailureReason,
  FileProblem,
  type ParseOutcome,
  type ParseProgress,
  type ReportRow,
} from './report.ts'
import { usesDecimalComma } from './values/number.ts'

export interface ParseOptions {
  /** Created with the first page without a text layer, if it is not given. */
  recognizer?: Recognizer
  /** Called before each page. */
  onProgress?: (progress: ParseProgress) => void
}

let sharedRecognizer: Promise<Recognizer> | undefined

/**
 * Loaded with the first page that needs it: other pages can be read without it.
 * @throws {EngineProblem}
 */
function loadRecognizer(): Promise<Recognizer> {
  sharedRecognizer ??= import('./recognition/recognizer.ts')
    .then(({ createRecognizer }) => createRecognizer())
    .catch(() => {
      throw new EngineProblem('onnxruntime-node')
    })
  return sharedRecognizer
}

/**
 * Parses one report: a PDF, or images that are its pages in order. Works in this process, on
 * possibly hostile files: a server uses the pool of processes. Never rejects for the contents of
 * files.
 * @throws {EngineProblem}
 */
export async function parseLabReport(
  files: readonly Uint8Array[],
  options: ParseOptions = {},
): Promise<ParseOutcome> {
  try {
    const { pages, isIllegible } = await readPages(files, options)
    return readReport(pages, isIllegible)
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error
    return error.code === 'too_many_pages'
      ? fail('too_many_pages', 'The document has too many pages.')
      : fail('invalid_input', 'A page cannot be read.')
  }
}

const fail = (reason: FailureReason, detail: string): ParseOutcome => ({
  status: 'failed',
  reason,
  detail,
})

async function readPages(
  files: readonly Uint8Array[],
  options: ParseOptions,
): Promise<{ pages: PageText[]; isIllegible: boolean }> {
  const pages: PageText[] = []
  let legible = 0
  for await (const source of readSourcePages(files)) {
    options.onProgress?.({ page: source.number, pages: source.pages })
    const page = await readPage(source, options)
    if (isLegible(page)) legible++
    pages.push(page)
  }
  return { pages, isIllegible: legible === 0 && pages.some((page) => page.source === 'recognized') }
}

async function readPage(source: SourcePage, options: ParseOptions): Promise<PageText> {
  const sourceSize = { width: source.width, height: source.height }
  if (source.words) {
    return {
      number: source.number,
      ...sourceSize,
      words: source.words,
      source: 'text_layer',
      toSource: null,
      sourceSize,
    }
  }
  const raster = await source.render()
  const recognizer = options.recognizer ?? (await loadRecognizer())
  const { raster: clean, toSource } = await cleanImage(raster, recognizer)
  return {
    number: source.number,
    width: clean.width,
    height: clean.height,
    source: 'recognized',
    words: await recognizer.recognize(clean),
    toSource: composeMaps(
      scaleMap(source.width / raster.width, source.height / raster.height),
      toSource,
    ),
    sourceSize,
  }
}

/** Returns whether a page has a text layer, or words that were recognized with some certainty. */
function isLegible({ source, words }: PageText): boolean {
  if (source === 'text_layer') return true
  const sure = words.filter(
    ({ text, confidence }) => confidence >= 0.7 && /[\p{L}\d]{2}/u.test(text),
  )
  return sure.length >= 5 && sure.length >= words.length * 0.4
}

export function readReport(pages: PageText[], isIllegible: boolean): ParseOutcome {
  const language = detectLanguage(pages)
  if (!language.isLatin)
    return fail('not_english', 'The language of the document is not supported.')
  const { header, age } = readHeader(pages, language.code)
  const gender = header.gender?.value
  const person = { sex: gender === 'male' || gender === 'female' ? gender : null, age }
  const { rows: all, unread, lines } = readResults(pages, person)
  const rows = removeRepeated(all, pages)
  // An account of a pathologist alone is no list of results.
  const isUnread = unread.some(({ kind }) => kind !== 'narrative')
  if (!isLabReport(pages, rows) && !isUnread) {
    return isIllegible && pages.some((page) => page.words.length > 0)
      ? fail('low_quality', 'The text of the document is not legible.')
      : fail('invalid_input', 'The document is not a laboratory report with results.')
  }
  if (!language.isSupported && rows.length < 3) {
    return fail('not_english', 'The language of the document is not supported.')
  }
  const decimalComma = usesDecimalComma(
    rows.flatMap((row) => [row.value.text, row.range?.text ?? '']),
  )
  const described = rows.map((row) => describeRow(row, { decimalComma, person }))
  return {
    status: 'parsed',
    report: {
      language: language.code,
      header,
      patient: readPatientHints(pages, language.code),
      results: judgeResults(described, pages, lines),
      unread,
      pages: pages.map(({ words: _words, ...page }) => page),
    },
  }
}

/** Removes the results of a page that was scanned or photographed twice. */
function removeRepeated(rows: readonly ReportRow[], pages: readonly PageText[]): ReportRow[] {
  const rowsOf = (page: number) => rows.filter((row) => row.value.page === page)
  const say = (row: ReportRow) => `${row.name.text}|${row.value.text}`.toLowerCase()
  const kept: ReportRow[] = []
  const seen = new Set<string>()
  for (const { number } of pages) {
    const own = rowsOf(number)
    const repeated = own.filter((row) => seen.has(say(row)))
    // A page with little new is the same page again; a value may well be measured twice.
    const isRepeated = own.length > 1 && repeated.length >= own.length * 0.8
    kept.push(...(isRepeated ? own.filter((row) => !seen.has(say(row))) : own))
    for (const row of own) seen.add(say(row))
  }
  return kept
}
