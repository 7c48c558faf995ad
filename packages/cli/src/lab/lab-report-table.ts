import type { Field, LabReport, ReportResult } from '@salus/lab-report-parser'
import { type Column, formatTable } from '../terminal/table.ts'

/** Lines that fit a terminal of usual width. */
const WIDTH = 80
/** Widest columns; names get the rest. */
const MOST = { value: 14, unit: 12, range: 15 }
const LEAST_NAME = 12

/** Shortens a text that is too long, with an ellipsis. */
function shortenText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}

/**
 * Returns `H` or `L` for a value beyond its bounds, `!` for one that is abnormal otherwise or
 * critical.
 */
function describeFlag({ isAboveHigh, isBelowLow, interpretation }: ReportResult): string {
  const sign = isAboveHigh ? 'H' : isBelowLow ? 'L' : ''
  const isMarked = interpretation === 'critical' || (interpretation === 'abnormal' && sign === '')
  return sign + (isMarked ? '!' : '')
}

/** Returns the code; with `?` where it is the best of several of which a person must choose. */
function describeLoinc({ loincMatches: [best], loincMatchStatus }: ReportResult): string {
  if (!best || loincMatchStatus === 'no_match') return ''
  return best.code + (loincMatchStatus === 'needs_review' ? '?' : '')
}

/** Returns the confidence of a row: that of its least certain part. */
function describeConfidence({ name, value, unit, range }: ReportResult): string {
  const parts = [name, value, unit, range].filter((field): field is Field => field !== null)
  return `${Math.floor(Math.min(...parts.map(({ confidence }) => confidence)) * 100)}%`
}

/** Formats the results of a report, one a line, in lines of at most 80 characters. */
export function formatResults(results: readonly ReportResult[]): string {
  const columns: Column<ReportResult>[] = [
    { title: 'Value', align: 'right', text: ({ value }) => shortenText(value.text, MOST.value) },
    { title: 'Unit', text: ({ unit }) => shortenText(unit?.text ?? '', MOST.unit) },
    { title: 'Range', text: ({ range }) => shortenText(range?.text ?? '', MOST.range) },
    { title: 'Flag', text: describeFlag },
    { title: 'LOINC', text: describeLoinc },
    { title: 'Sure', align: 'right', text: describeConfidence },
  ]
  const widths = columns.map(({ title, text }) =>
    Math.max(title.length, ...results.map((result) => text(result).length)),
  )
  const others = widths.reduce((sum, width) => sum + width + 2, 0)
  const name: Column<ReportResult> = {
    title: 'Name',
    text: (result) => shortenText(result.name.text, Math.max(LEAST_NAME, WIDTH - others)),
  }
  return formatTable([name, ...columns], results)
}

/** Formats the header of a report, one fact a line; missing facts are left out. */
export function formatHeader({ header, language }: LabReport): string {
  const name = [header.patientFirstName, header.patientLastName]
    .flatMap((field) => (field ? [field.text] : []))
    .join(' ')
  const facts: [label: string, text: string | undefined][] = [
    ['Laboratory', header.labName?.text],
    ['Patient', name || undefined],
    ['Born', header.dateOfBirth?.text],
    ['Gender', header.gender?.value],
    ['Specimen', header.specimenNumber?.text],
    ['Collected', header.dateCollected?.text],
    ['Reported', header.dateReported?.text],
    ['Language', language],
  ]
  return facts
    .flatMap(([label, text]) =>
      text === undefined ? [] : [shortenText(`${label.padEnd(12)}${text}`, WIDTH)],
    )
    .join('\n')
}
