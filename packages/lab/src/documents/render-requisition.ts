import type { DocumentLaboratory, RequisitionInput } from './document-inputs.ts'
import {
  addressLines,
  billingWords,
  dateWords,
  filedName,
  METHOD_WORDS,
  phoneWords,
  sampleWords,
  timeWords,
} from './document-words.ts'
import { NUMBER_WIDTH, pdf417Block, renderNumber } from './layout/barcode.ts'
import { type Block, renderBlock, stackBlock, summaryPanel, textBlock } from './layout/block.ts'
import {
  flowText,
  renderFooter,
  renderHeading,
  renderPlate,
  renderRunningHead,
  renderTopBar,
} from './layout/section.ts'
import { closeSheet, LETTER, LETTER_MARGINS, openSheet, type Sheet } from './layout/sheet.ts'
import { renderTableSection } from './layout/table.ts'
import { widthOf } from './layout/text.ts'
import { STYLES } from './layout/text-styles.ts'
import { orderRecordTexts } from './order-record.ts'
import { renderInsuranceImages, renderParties, renderPayment } from './requisition-parties.ts'
import { renderConsents, renderSignature } from './requisition-signature.ts'

const TITLE = 'Laboratory requisition'
const CODE_WIDTH = 88
const STAT = { ...STYLES.title, size: 15, leading: 23 }

/** Renders a laboratory requisition on US letter as PDF. */
export async function renderRequisition(input: RequisitionInput): Promise<Buffer> {
  const { patient, sampleId, priority } = input
  const sheet = openSheet({
    title: `${TITLE} ${sampleId}`,
    at: input.at,
    size: LETTER,
    margins: LETTER_MARGINS,
  })
  const whose = `DOB ${dateWords(patient.dob)}  ·  ${filedName(patient) || 'Name not given'}`
  const head = `${TITLE} ${sampleId}${priority ? '  ·  STAT' : ''}`
  sheet.runningHead = () => renderRunningHead(sheet, head, whose)
  renderTopBar(sheet)
  renderTitle(sheet, input)
  renderSummary(sheet, input)
  renderCollection(sheet, input)
  renderParties(sheet, input)
  renderPayment(sheet, input)
  renderTests(sheet, input)
  renderDiagnoses(sheet, input)
  renderAnswers(sheet, input)
  if (input.clinicalNotes !== null && input.clinicalNotes.trim() !== '') {
    renderHeading(sheet, 'Clinical notes')
    flowText(sheet, input.clinicalNotes)
  }
  renderConsents(sheet, input)
  renderSignature(sheet, input)
  renderInsuranceImages(sheet, input)
  renderOrderRecord(sheet, input)
  return closeSheet(sheet, (page, pages) =>
    renderFooter(sheet, `Requisition ${sampleId}  ·  ${whose}`, page, pages),
  )
}

/** Renders title and laboratory on the left, and the requisition number on the right. */
function renderTitle(sheet: Sheet, { laboratory, sampleId, priority }: RequisitionInput): void {
  const { y } = sheet
  const width = sheet.width - NUMBER_WIDTH - 20
  const title = textBlock(sheet, TITLE, STYLES.title, width, { type: 'H1' })
  title.render(sheet.left, y)
  if (priority) {
    const x = sheet.left + widthOf(sheet, TITLE, STYLES.title) + 12
    renderPlate(sheet, 'STAT', x, y + 2, STAT, widthOf(sheet, 'STAT', STAT))
  }
  const from = laboratoryBlock(sheet, laboratory, width)
  from.render(sheet.left, y + title.height + 8)
  const numberHeight = renderNumber(sheet, sampleId, y + 4)
  sheet.y = y + Math.max(title.height + 8 + from.height, numberHeight + 4) + 16
}

/** Returns a block with the name, address and telephone of the laboratory. */
function laboratoryBlock(sheet: Sheet, laboratory: DocumentLaboratory, width: number): Block {
  const contact = [
    laboratory.phone_number === null ? null : `Phone ${phoneWords(laboratory.phone_number)}`,
    laboratory.clia_number === null ? null : `CLIA ${laboratory.clia_number}`,
  ].filter((text) => text !== null)
  const lines = [
    laboratory.address === null ? '' : addressLines(laboratory.address).join(', '),
    contact.join('  ·  '),
  ].filter((line) => line !== '')
  return stackBlock([
    textBlock(sheet, laboratory.name, STYLES.name, width),
    ...lines.map((line) => textBlock(sheet, line, STYLES.small, width)),
  ])
}

function renderSummary(sheet: Sheet, input: RequisitionInput): void {
  const entries = [
    ['Ordered', dateWords(input.orderedOn)],
    ['Priority', input.priority ? 'STAT' : 'Routine'],
    ['Fasting', input.fasting ? 'Required' : 'Not required'],
    ['Collection', METHOD_WORDS[input.method]],
    ['Bill to', billingWords(input.billingType)],
  ] as const
  renderBlock(sheet, summaryPanel(sheet, entries, [70, 58, 80, 128, 128]))
}

/** Renders the time of collection, or what to do about it. */
function renderCollection(sheet: Sheet, { method, collectedAt }: RequisitionInput): void {
  const text =
    collectedAt !== null
      ? `Collected ${timeWords(collectedAt)}`
      : method === 'walk_in_test'
        ? 'PSC: collect at the service center'
        : 'Collected on ____ /____ /________  at ____ :____  by ____________________________'
  sheet.y += 8
  renderBlock(sheet, textBlock(sheet, text, STYLES.strong, sheet.width))
}

/** Renders the order as PDF417 symbols, from which a laboratory reads it without a connection. */
function renderOrderRecord(sheet: Sheet, input: RequisitionInput): void {
  if (!input.hasOrderRecord) return
  const texts = orderRecordTexts(input)
  texts.forEach((text, index) => {
    const count = texts.length > 1 ? ` ${index + 1} of ${texts.length}` : ''
    const alt = `PDF417 of the order ${input.sampleId}${count}`
    const block = pdf417Block(sheet, text, alt)
    renderHeading(sheet, `Order record${count}`, block.height)
    renderBlock(sheet, block)
  })
}

function renderTests(sheet: Sheet, { tests, diagnoses }: RequisitionInput): void {
  const columns = [
    { title: 'Code', width: CODE_WIDTH },
    { title: 'Test', width: 0 },
    { title: 'Specimen', width: 94 },
    ...(diagnoses.length > 0 ? [{ title: 'ICD-10', width: 104 }] : []),
  ]
  const codes = diagnoses.map((diagnosis) => diagnosis.code).join(' ')
  const rows = tests.map(({ code, name, sample_type }) => ({
    cells: [
      { text: code ?? '–', style: STYLES.strong },
      name,
      sample_type === null ? '–' : sampleWords(sample_type),
      ...(diagnoses.length > 0 ? [codes] : []),
    ],
  }))
  const title = tests.length === 1 ? 'Test' : `Tests (${tests.length})`
  renderTableSection(sheet, title, columns, rows)
}

function renderDiagnoses(sheet: Sheet, { diagnoses }: RequisitionInput): void {
  if (diagnoses.length === 0) return
  const title = 'Diagnoses (ICD-10-CM)'
  if (diagnoses.every(({ description }) => description === null)) {
    renderHeading(sheet, title)
    flowText(sheet, diagnoses.map(({ code }) => code).join('   '), STYLES.strong)
    return
  }
  const columns = [
    { title: 'Code', width: CODE_WIDTH },
    { title: 'Diagnosis', width: 0 },
  ]
  const rows = diagnoses.map(({ code, description }) => ({
    cells: [{ text: code, style: STYLES.strong }, description ?? '–'],
  }))
  renderTableSection(sheet, title, columns, rows)
}

function renderAnswers(sheet: Sheet, { answers }: RequisitionInput): void {
  if (answers.length === 0) return
  const columns = [
    { title: 'Question', width: 0 },
    { title: 'Answer', width: 226 },
  ]
  const rows = answers.map(({ question, answers: given }) => ({
    cells: [question, { text: given.join(', '), style: STYLES.strong }],
  }))
  renderTableSection(sheet, 'Order-entry questions', columns, rows)
}
