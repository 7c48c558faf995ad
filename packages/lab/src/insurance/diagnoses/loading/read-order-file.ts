import { mapInSlices } from '@salus/kernel/time-slices'
import { CatalogProblems } from '../../../catalog/index.ts'
import { parseCode } from '../code-form.ts'

/** A line of the order file: a code or a heading. */
export interface OrderLine {
  code: string
  /** Whether the code is valid for claims. */
  isBillable: boolean
  description: string
}

/**
 * Fixed columns: 1–5 number, 7–13 code without dot, 15 whether valid for claims, 17–76 short
 * description, from 78 the long one.
 */
const LINE = /^\d{5} ([A-Z\d]{3,7}) *$/
const NUMBERS_AND_CODE = 13

/**
 * Reads the order file of ICD-10-CM, which CMS publishes each year. Lines are numbered from 1, so a
 * missing line is detected.
 * @returns the read lines, and the problems by line
 */
export async function readOrderFile(
  text: string,
): Promise<{ lines: OrderLine[]; problems: CatalogProblems }> {
  const problems = new CatalogProblems()
  const seen = new Set<string>()
  const texts = text.replace(/^\uFEFF/, '').split('\n')
  while (texts.at(-1)?.trim() === '') texts.pop()
  let expected = 1
  const read = await mapInSlices(texts, (line): OrderLine | string => {
    const number = Number(/^\d{5} /.exec(line)?.[0] ?? expected)
    const problem = number === expected ? undefined : describeGap(number, expected)
    // One gap is reported once.
    expected = number + 1
    return problem ?? readLine(line, seen)
  })
  const lines: OrderLine[] = []
  for (const [index, line] of read.entries()) {
    if (typeof line === 'string') problems.add(`order_file line ${index + 1}`, line)
    else lines.push(line)
  }
  if (lines.length === 0) problems.add('order_file', 'The file contains no codes.')
  else if (!lines.some(({ isBillable }) => isBillable)) {
    problems.add('order_file', 'No code is valid for claims.')
  }
  return { lines, problems }
}

function describeGap(number: number, expected: number): string {
  const what = number > expected ? 'lines are missing' : 'the line appears twice'
  return `The line has the number ${number} instead of ${expected}: ${what}.`
}

/** @returns the line, or its problem as a string */
function readLine(line: string, seen: Set<string>): OrderLine | string {
  const [, written = ''] = LINE.exec(line.slice(0, NUMBERS_AND_CODE)) ?? []
  const code = parseCode(written)
  if (code === undefined) return 'Columns 1 to 13 are not a number and a code.'
  const flag = line[14]
  if (flag !== '0' && flag !== '1') return 'Column 15 is neither 0 nor 1.'
  const description = line.slice(77).trim()
  if (description === '') return 'There is no long description from column 78.'
  if (seen.has(code)) return `${code} appears in an earlier line.`
  seen.add(code)
  return { code, isBillable: flag === '1', description }
}
