import type { AbnInput, AbnReason, AbnTest } from './document-inputs.ts'
import { addressLines, dollarWords, fullName, phoneWords } from './document-words.ts'
import { renderBlock, renderLines, stackBlock, textBlock } from './layout/block.ts'
import { renderHeading, renderRule } from './layout/section.ts'
import {
  closeSheet,
  LETTER,
  openSheet,
  renderArtifact,
  renderElement,
  type Sheet,
  startPage,
} from './layout/sheet.ts'
import { renderTable } from './layout/table.ts'
import { renderLine } from './layout/text.ts'
import { COLORS, STYLES, type TextStyle } from './layout/text-styles.ts'

/**
 * The Advance Beneficiary Notice of Non-coverage of Medicare, form CMS-R-131, with its blanks A to
 * J. The wording is that of the form, which is a work of the United States government; a notifier
 * may fill its blanks and change nothing else. CMS accepts an expired edition until it publishes
 * the next one: then FORM_NUMBER and the texts change together.
 */
const FORM_NUMBER = 'Form CMS-R-131 (Exp. 01/31/2026)'
const APPROVAL = 'Form Approved OMB No. 0938-0566'

const TITLE = 'Advance Beneficiary Notice of Non-coverage (ABN)'
/** What the form calls blank D: the kind of service. */
const SERVICE = 'laboratory tests'
const REASONS: Readonly<Record<AbnReason, string>> = {
  diagnosis: 'Medicare does not pay for this test for your condition.',
  frequency: 'Medicare does not pay for this test as often as this.',
  experimental: 'Medicare does not pay for experimental or research use tests.',
}
/** Lines of tests that leave room for the rest of the one page that the form may have. */
const MOST_LINES = 10
/** Characters of a name on one line, and lines of the longest reason. */
const LINE_LENGTH = 34
const REASON_LINES = 2
const MARGINS = { top: 30, right: 46, bottom: 20, left: 46 }
const TEXT: TextStyle = { ...STYLES.body, size: 9.2, leading: 11.6 }
const STRONG: TextStyle = { ...TEXT, typeface: 'semibold' }
const SMALL: TextStyle = { ...STYLES.label, color: COLORS.ink, leading: 9.2 }
const BOX = 9

/** Renders the notice on one page; more tests than fit are on a page attached to it. */
export async function renderMedicareAbn(input: AbnInput): Promise<Buffer> {
  const sheet = openSheet({
    title: [TITLE, input.identificationNumber ?? ''].join(' ').trim(),
    at: input.at,
    size: LETTER,
    margins: MARGINS,
  })
  const isAttached = countLines(input.tests) > MOST_LINES
  renderHead(sheet, input)
  paragraph(sheet, NOTE, 5)
  renderServices(sheet, isAttached ? [] : input.tests, isAttached)
  renderActions(sheet)
  renderOptions(sheet)
  renderEnd(sheet)
  if (isAttached) renderAttachment(sheet, input)
  return closeSheet(sheet)
}

const NOTE = `NOTE: If Medicare doesn’t pay for ${SERVICE} below, you may have to pay. Medicare does not pay for everything, even some care that you or your health care provider have good reason to think you need. We expect Medicare may not pay for the ${SERVICE} below.`

function countLines(tests: readonly AbnTest[]): number {
  const lines = tests.map(({ name, code }) => Math.ceil((name + (code ?? '')).length / LINE_LENGTH))
  return lines.reduce((sum, count) => sum + Math.max(count, REASON_LINES), 0)
}

function paragraph(sheet: Sheet, text: string, gap = 3, style = TEXT): void {
  renderBlock(sheet, textBlock(sheet, text, style, sheet.width), gap)
}

function renderHead(sheet: Sheet, { notifier, patient, identificationNumber }: AbnInput): void {
  const from = [
    notifier.name,
    ...(notifier.address === null ? [] : addressLines(notifier.address)),
    notifier.phone_number === null ? '' : phoneWords(notifier.phone_number),
  ].filter((line) => line !== '')
  paragraph(sheet, `A. Notifier: ${from.join(', ')}`)
  paragraph(sheet, `B. Patient Name: ${fullName(patient)}`)
  paragraph(sheet, `C. Identification Number: ${identificationNumber ?? ''}`, 6)
  const title = { ...STYLES.title, size: 15, leading: 20 }
  const heading = textBlock(sheet, TITLE, title, sheet.width, { type: 'H1', align: 'center' })
  renderBlock(sheet, heading, 5)
}

function renderServices(sheet: Sheet, tests: readonly AbnTest[], isAttached: boolean): void {
  const columns = [
    { title: `D. ${SERVICE}`, width: 0 },
    { title: 'E. Reason Medicare May Not Pay:', width: 212 },
    { title: 'F. Estimated Cost', width: 84, align: 'right' as const },
  ]
  const rows = tests.map(({ code, name, reason, estimatedCostCents }) => ({
    cells: [
      code === null ? name : `${name} (${code})`,
      REASONS[reason ?? 'diagnosis'],
      estimatedCostCents === null ? '' : dollarWords(estimatedCostCents),
    ],
  }))
  const attached = { cells: ['See attached page', 'See attached page', 'See attached page'] }
  renderTable(sheet, columns, [{ title: null, rows: isAttached ? [attached] : rows }])
  sheet.y += 7
}

function renderActions(sheet: Sheet): void {
  paragraph(sheet, 'WHAT YOU NEED TO DO NOW:', 1, STRONG)
  const actions = [
    'Read this notice, so you can make an informed decision about your care.',
    'Ask us any questions that you may have after you finish reading.',
    `Choose an option below about whether to receive the ${SERVICE} listed above.`,
  ]
  for (const action of actions) paragraph(sheet, `•  ${action}`, 1)
  paragraph(
    sheet,
    'Note: If you choose Option 1 or 2, we may help you to use any other insurance that you might have, but Medicare cannot require us to do this.',
    6,
  )
}

const OPTIONS = [
  [
    'OPTION 1.',
    `I want the ${SERVICE} listed above. You may ask to be paid now, but I also want Medicare billed for an official decision on payment, which is sent to me on a Medicare Summary Notice (MSN). I understand that if Medicare doesn’t pay, I am responsible for payment, but I can appeal to Medicare by following the directions on the MSN. If Medicare does pay, you will refund any payments I made to you, less co-pays or deductibles.`,
  ],
  [
    'OPTION 2.',
    `I want the ${SERVICE} listed above, but do not bill Medicare. You may ask to be paid now as I am responsible for payment. I cannot appeal if Medicare is not billed.`,
  ],
  [
    'OPTION 3.',
    `I don’t want the ${SERVICE} listed above. I understand with this choice I am not responsible for payment, and I cannot appeal to see if Medicare would pay.`,
  ],
] as const

/** Renders the check boxes, which only the patient may fill. */
function renderOptions(sheet: Sheet): void {
  paragraph(sheet, 'G. OPTIONS: Check only one box. We cannot choose a box for you.', 3, STRONG)
  for (const [name, text] of OPTIONS) {
    const indent = BOX + 8
    const words = textBlock(sheet, `${name} ${text}`, TEXT, sheet.width - indent)
    const { left, y } = sheet
    renderArtifact(sheet, () => {
      sheet.doc.rect(left + 0.5, y + 1.5, BOX, BOX)
      sheet.doc.lineWidth(1).strokeColor(COLORS.ink).stroke()
    })
    words.render(left + indent, y)
    sheet.y += words.height + 4
  }
}

function renderEnd(sheet: Sheet): void {
  paragraph(sheet, 'H. Additional Information:', 26, STRONG)
  paragraph(
    sheet,
    'This notice gives our opinion, not an official Medicare decision. If you have other questions on this notice or Medicare billing, call 1-800-MEDICARE (1-800-633-4227/TTY: 1-877-486-2048). Signing below means that you have received and understand this notice. You may ask to receive a copy.',
    28,
  )
  const { left, width, y } = sheet
  const parts = [
    { label: 'I. Signature:', x: left, width: width * 0.64 },
    { label: 'J. Date:', x: left + width * 0.7, width: width * 0.3 },
  ]
  for (const part of parts) {
    renderRule(sheet, y, { x: part.x, width: part.width, color: COLORS.ink, weight: 0.8 })
    renderElement(sheet, 'P', () => renderLine(sheet, part.label, part.x, y + 3, STRONG))
  }
  sheet.y = y + 24
  const small = [ACCESS, PAPERWORK].map((text) => textBlock(sheet, text, SMALL, width))
  renderBlock(sheet, stackBlock(small, 4), 6)
  const foot = sheet.y
  renderElement(sheet, 'P', () => renderLine(sheet, FORM_NUMBER, left, foot, SMALL))
  renderElement(sheet, 'P', () => renderLines(sheet, [APPROVAL], SMALL, left, foot, width, 'right'))
}

const ACCESS =
  'You have the right to get Medicare information in an accessible format, like large print, Braille, or audio. You also have the right to file a complaint if you feel you’ve been discriminated against. Visit Medicare.gov/about-us/accessibility-nondiscrimination-notice.'
const PAPERWORK =
  'According to the Paperwork Reduction Act of 1995, no persons are required to respond to a collection of information unless it displays a valid OMB control number. The valid OMB control number for this information collection is 0938-0566. The time required to complete this information collection is estimated to average 7 minutes per response, including the time to review instructions, search existing data resources, gather the data needed, and complete and review the information collection. If you have comments concerning the accuracy of the time estimate or suggestions for improving this form, please write to: CMS, 7500 Security Boulevard, Attn: PRA Reports Clearance Officer, Baltimore, Maryland 21244-1850.'

function renderAttachment(sheet: Sheet, { patient, identificationNumber, tests }: AbnInput): void {
  startPage(sheet)
  renderHeading(sheet, 'Attached page')
  paragraph(sheet, `B. Patient Name: ${fullName(patient)}`)
  paragraph(sheet, `C. Identification Number: ${identificationNumber ?? ''}`, 6)
  renderServices(sheet, tests, false)
}
