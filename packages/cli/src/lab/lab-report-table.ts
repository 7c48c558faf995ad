import type { Field, LabReport, ReportResult } from '@salus/lab-report-parser'
import { type Column, formatTable } from '../terminal/table.ts'

/** Lines that fit the usual terminal. */
const WIDTH = 80
/** What columns may take at most; names get what is left. */
const MOST = { value: 14, unit: 12, range: 15 }
const LEAST_NAME = 12

/** Cuts a text that is too long, with a sign that it was cut. */
function fit(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}

/** `H` or `L` for what is beyond its bounds, `!` for what is abnormal otherwise or critical. */
function describeFlag({ isAboveHigh, isBelowLow, interpretation }: ReportResult): string {
  const sign = isAboveHigh ? 'H' : isBelowLow ? 'L' : ''
  const isMarked = interpretation === 'critical' || (interpretation === 'abnormal' && sign === '')
  return sign + (isMarked ? '!' : '')
}

/** The code; with `?` where it is the best of several that a person has to choose from. */
function describeLoinc({ loincMatches: [best], loincMatchStatus }: ReportResult): string {
  if (!best || loincMatchStatus === 'no_match') return ''
  return best.code + (loincMatchStatus === 'needs_review' ? '?' : '')
}

/** How sure the reading of a row is: as sure as its least sure part. */
function describeConfidence({ name, value, unit, range }: ReportResult): string {
  const parts = [name, value, unit, range].filter((field): field is Field => field !== null)
  return `${Math.floor(Math.min(...parts.map(({ confidence }) => confidence)) * 100)}%`
}

/** The results of a report, a line each, in lines of at most 80 characters. */
export function formatResults(results: readonly ReportResult[]): string {
  const columns: Column<ReportResult>[] = [
    { title: 'Value', align: 'right', text: ({ value }) => fit(value.text, MOST.value) },
    { title: 'Unit', text: ({ unit }) => fit(unit?.text ?? '', MOST.unit) },
    { title: 'Range', text: ({ range }) => fit(range?.text ?? '', MOST.range) },
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
    text: (result) => fit(result.name.text, Math.max(LEAST_NAME, WIDTH - others)),
  }
  return formatTable([name, ...columns], results)
}

/** Who and what a report is about, a line each; what it does not say is left out. */
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
      text === undefined ? [] : [fit(`${label.padEnd(12)}${text}`, WIDTH)],
    )
    .join('\n')
}
