import type { ResultMessage } from '@salus/contracts/lab-gateway'
import type { DocumentLaboratory, ResultDocumentInput } from './document-inputs.ts'
import {
  addressLines,
  dateWords,
  filedName,
  phoneWords,
  sexWords,
  timeWords,
} from './document-words.ts'
import {
  type Block,
  columnsBlock,
  columnWidth,
  labelledBlock,
  panelBlock,
  renderBlock,
  stackBlock,
  textBlock,
} from './layout/block.ts'
import { renderPlate } from './layout/section.ts'
import type { Sheet } from './layout/sheet.ts'
import { fitWords, widthOf } from './layout/text.ts'
import { STYLES } from './layout/text-styles.ts'
import { toPrintedUnit } from './printed-unit.ts'
import { flagOf } from './result-flag.ts'

/** Status of the results as a plate, with an explanation for the reader. */
export const STATUS_WORDS = {
  partial: { plate: 'PARTIAL', text: 'Further results will follow.' },
  final: { plate: 'FINAL', text: '' },
  corrected: { plate: 'CORRECTED', text: 'This report replaces an earlier one.' },
} as const satisfies Record<ResultMessage['status'], { plate: string; text: string }>

const STATUS = { ...STYLES.title, size: 13, leading: 21 }
const STATUS_WIDTH = 190
const GAP = 24

/** Renders the laboratory and the status, followed by patient, specimen and ordering parties. */
export function renderDocumentHead(sheet: Sheet, title: string, input: ResultDocumentInput): void {
  const { y } = sheet
  const width = sheet.width - STATUS_WIDTH - 16
  const titleBlock = textBlock(sheet, title, STYLES.title, width, { type: 'H1' })
  const from = laboratoryBlock(sheet, input.laboratory, width)
  titleBlock.render(sheet.left, y)
  from.render(sheet.left, y + titleBlock.height + 8)
  renderStatus(sheet, input.report, y + 3)
  sheet.y = y + titleBlock.height + 8 + from.height + 16
  const third = columnWidth(sheet.width - GAP, 3, GAP)
  const columns = [
    patientBlock(sheet, input.report, third),
    specimenBlock(sheet, input.report, third),
    ordererBlock(sheet, input, third),
  ]
  renderBlock(sheet, panelBlock(sheet, columnsBlock(columns, third, GAP)))
}

function laboratoryBlock(sheet: Sheet, laboratory: DocumentLaboratory, width: number): Block {
  const { address, phone_number, clia_number, medical_director } = laboratory
  const contact = [
    phone_number === null ? '' : `Phone ${phoneWords(phone_number)}`,
    clia_number === null ? '' : `CLIA ${clia_number}`,
  ].filter((text) => text !== '')
  const lines = [
    address === null ? '' : addressLines(address).join(', '),
    contact.join('  ·  '),
    medical_director === null ? '' : `Medical director ${medical_director}`,
  ].filter((line) => line !== '')
  return stackBlock([
    textBlock(sheet, laboratory.name, STYLES.name, width),
    ...lines.map((line) => textBlock(sheet, line, STYLES.small, width)),
  ])
}

function renderStatus(sheet: Sheet, { status, reported_at }: ResultMessage, y: number): void {
  const { plate, text } = STATUS_WORDS[status]
  const right = sheet.left + sheet.width
  const plateWidth = widthOf(sheet, plate, STATUS)
  renderPlate(sheet, plate, right - plateWidth - STATUS.size * 1.1, y, STATUS, plateWidth)
  const lines = [text, reported_at === null ? '' : `Reported ${timeWords(reported_at)}`]
  const words = textBlock(sheet, lines.join('\n').trim(), STYLES.small, STATUS_WIDTH, {
    align: 'right',
  })
  words.render(right - STATUS_WIDTH, y + STATUS.leading + 6)
}

function patientBlock(sheet: Sheet, { patient }: ResultMessage, width: number): Block {
  const name = filedName(patient) || 'Name not given'
  const style = fitWords(sheet, name, STYLES.name, width)
  return stackBlock(
    [
      stackBlock([
        textBlock(sheet, 'Patient', STYLES.label, width),
        textBlock(sheet, name, style, width),
      ]),
      fact(sheet, 'Date of birth', patient.dob === null ? null : dateWords(patient.dob), width),
      fact(sheet, 'Sex', patient.gender === null ? null : sexWords(patient.gender), width),
      fact(sheet, 'Patient number', patient.patient_id, width),
    ],
    5,
  )
}

function specimenBlock(sheet: Sheet, report: ResultMessage, width: number): Block {
  const time = (at: ResultMessage['collected_at']) => (at === null ? null : timeWords(at))
  return stackBlock(
    [
      fact(sheet, 'Specimen number', report.specimen_number, width),
      fact(sheet, 'Requisition', report.sample_id, width),
      fact(sheet, 'Collected', time(report.collected_at), width),
      fact(sheet, 'Received', time(report.received_at), width),
    ],
    5,
  )
}

function ordererBlock(
  sheet: Sheet,
  { report, account }: ResultDocumentInput,
  width: number,
): Block {
  const number = account?.number ?? report.account_id
  return stackBlock(
    [
      fact(sheet, 'Ordered by', report.ordering_physician, width),
      fact(sheet, 'Account', [account?.name, number].filter(Boolean).join('\n'), width),
      // Laboratories report false when they do not know, so false is not printed.
      fact(sheet, 'Fasting', report.fasting ? 'Yes' : null, width),
      fact(sheet, 'Total volume', report.total_volume, width),
    ],
    5,
  )
}

function fact(sheet: Sheet, label: string, value: string | null, width: number): Block | null {
  return labelledBlock(sheet, label, value, width, STYLES.strong)
}

/** Renders the critical results before all others. */
export function renderCritical(sheet: Sheet, { results }: ResultMessage): void {
  const critical = results.filter((result) => flagOf(result).severity === 'critical')
  if (critical.length === 0) return
  const width = sheet.width - 28
  const title = critical.length === 1 ? 'Critical result' : `${critical.length} critical results`
  const text = critical
    .map((result) => {
      const value = [result.name, result.result, toPrintedUnit(result.unit)].join(' ').trim()
      return `${value} (${flagOf(result).text.toLowerCase()})`
    })
    .join('  ·  ')
  const inner = stackBlock(
    [
      textBlock(sheet, title, STYLES.heading, width, { type: 'H2' }),
      textBlock(sheet, text, STYLES.strong, width, { mostLines: 4 }),
    ],
    3,
  )
  sheet.y += 12
  renderBlock(sheet, panelBlock(sheet, inner, { hasStripe: true }))
}
