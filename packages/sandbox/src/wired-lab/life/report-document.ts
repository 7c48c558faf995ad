import type { ResultMessage } from '@salus/contracts/lab-gateway'

const LINE_POINTS = 14
const TOP_POINTS = 760
/** Lines of a page in the size Letter. */
const MOST_LINES = 50

/** Returns the report of a laboratory as a PDF of one page, with its results as lines of text. */
export function makeDocument(report: ResultMessage, labName: string): Buffer {
  const rows = report.results.map(({ name, result, unit, reference_range: range, flag }) =>
    [name, result, unit, range && `(${range})`, flag].filter(Boolean).join('  '),
  )
  const lines = [labName, `Specimen ${report.specimen_number}`, '', ...rows].slice(0, MOST_LINES)
  const text = lines.map((line) => `(${escapeLine(line)}) Tj T*`).join('\n')
  const content = `BT /F1 10 Tf ${LINE_POINTS} TL 54 ${TOP_POINTS} Td\n${text}\nET`
  return build([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ])
}

/** The font has ASCII only; other letters are left out. */
const escapeLine = (line: string): string =>
  line.replace(/[^\x20-\x7e]/g, '').replace(/[\\()]/g, (character) => `\\${character}`)

/** Writes numbered objects, and the table of their positions. */
function build(objects: readonly string[]): Buffer {
  let text = '%PDF-1.4\n'
  const positions = objects.map((object, index) => {
    const position = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return position
  })
  const table = positions.map((position) => `${String(position).padStart(10, '0')} 00000 n \n`)
  const size = objects.length + 1
  const start = text.length
  text += `xref\n0 ${size}\n0000000000 65535 f \n${table.join('')}`
  text += `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}
