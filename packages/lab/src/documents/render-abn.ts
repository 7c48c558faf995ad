import type { AbnInput, AbnReason, AbnTest } from './document-inputs.ts'
import { addressLines, dollarWords, fullName, phoneWords } from './document-words.ts'
import {
  type Block,
  columnsBlock,
  columnWidth,
  labelledBlock,
  renderBlock,
  stackBlock,
  textBlock,
} from './layout/block.ts'
import {
  flowText,
  renderFooter,
  renderHeading,
  renderRule,
  renderRunningHead,
  renderTopBar,
} from './layout/section.ts'
import {
  closeSheet,
  LETTER,
  LETTER_MARGINS,
  openSheet,
  renderArtifact,
  renderElement,
  type Sheet,
} from './layout/sheet.ts'
import { type Row, renderTable } from './layout/table.ts'
import { renderLine } from './layout/text.ts'
import { COLORS, STYLES } from './layout/text-styles.ts'

const TITLE = 'Advance beneficiary notice'
const REASONS: Readonly<Record<AbnReason, string>> = {
  diagnosis: 'May not be covered for your diagnosis',
  frequency: 'May not be covered this often',
  experimental: 'May not be covered, because it is experimental',
}
const BOX = 11
const SIGNATURE_HEIGHT = 110

/**
 * Renders an advance beneficiary notice with the patient's choice as PDF. The wording is our own:
 * it has the parts of such notices, but is not an official form.
 */
export async function renderAbn(input: AbnInput): Promise<Buffer> {
  const sheet = openSheet({
    title: [TITLE, input.identificationNumber ?? ''].join(' ').trim(),
    at: input.at,
    size: LETTER,
    margins: LETTER_MARGINS,
  })
  const whose = `Patient: ${fullName(input.patient)}`
  sheet.runningHead = () => renderRunningHead(sheet, TITLE, whose)
  const insurer = input.insurerName ?? 'your insurer'
  renderTopBar(sheet)
  renderBlock(sheet, textBlock(sheet, TITLE, STYLES.title, sheet.width, { type: 'H1' }), 10)
  renderParties(sheet, input)
  renderNotice(sheet, insurer)
  renderTests(sheet, input.tests)
  renderOptions(sheet, insurer)
  renderSignatureLines(sheet)
  return closeSheet(sheet, (page, pages) => renderFooter(sheet, whose, page, pages))
}

function renderParties(sheet: Sheet, { notifier, patient, identificationNumber }: AbnInput): void {
  const width = columnWidth(sheet.width, 3, 20)
  const from = [
    notifier.name,
    ...(notifier.address === null ? [] : addressLines(notifier.address)),
    notifier.phone_number === null ? '' : phoneWords(notifier.phone_number),
  ].filter((line) => line !== '')
  const blocks = [
    labelledBlock(sheet, 'Notifier', from.join('\n'), width),
    labelledBlock(sheet, 'Patient', fullName(patient), width, STYLES.strong),
    labelledBlock(
      sheet,
      'Identification number',
      identificationNumber ?? '–',
      width,
      STYLES.strong,
    ),
  ]
  renderBlock(sheet, columnsBlock(blocks, width, 20), 12)
}

function renderNotice(sheet: Sheet, insurer: string): void {
  const text = `We expect that ${insurer} may refuse to pay for the tests below. Insurers do not pay for everything, even when your clinician has good reason to ask for it. If payment is refused, the cost may be yours.`
  flowText(sheet, text, STYLES.lead)
}

function renderTests(sheet: Sheet, tests: readonly AbnTest[]): void {
  renderHeading(sheet, 'Tests in question', 70)
  const columns = [
    { title: 'Test', width: 0 },
    { title: 'Reason for a possible refusal', width: 190 },
    { title: 'Estimated cost', width: 74, align: 'right' as const },
  ]
  const rows: Row[] = tests.map(({ code, name, reason, estimatedCostCents }) => ({
    cells: [
      code === null ? name : `${name} (${code})`,
      REASONS[reason ?? 'diagnosis'],
      estimatedCostCents === null ? 'Not known' : dollarWords(estimatedCostCents),
    ],
  }))
  const costs = tests.map(({ estimatedCostCents }) => estimatedCostCents)
  const total = costs.reduce<number>((sum, cents) => sum + (cents ?? 0), 0)
  if (tests.length > 1 && costs.every((cents) => cents !== null)) {
    const style = { ...STYLES.strong, size: 9, leading: 12.5 }
    rows.push({
      cells: [{ text: 'Total', style }, '', { text: dollarWords(total), style }],
    })
  }
  renderTable(sheet, columns, [{ title: null, rows }])
}

/** Renders the choices of the patient, each with a check box. */
function renderOptions(sheet: Sheet, insurer: string): void {
  const options = [
    [
      'Do the tests and send the claim.',
      `I want the tests listed above, and I want ${insurer} to be billed for them. I may have to pay first. If the claim is refused, the cost is mine, and I may contest the refusal in the way that the insurer explains to me. If it is paid, I get back what I paid, apart from my own share.`,
    ],
    [
      'Do the tests without a claim.',
      `I want the tests listed above and pay for them myself. No claim is sent to ${insurer}, so there is no decision that I can contest.`,
    ],
    [
      'Do not do the tests.',
      `I do not want the tests listed above. I owe nothing for them, and no claim is sent to ${insurer}.`,
    ],
  ] as const
  const blocks = options.map(([title, text], index) =>
    optionBlock(sheet, `Option ${index + 1}. ${title}`, text),
  )
  // The text, the check boxes and the signature stay on one page.
  const keep = blocks.reduce((sum, { height }) => sum + height + 9, SIGNATURE_HEIGHT + 25)
  renderHeading(sheet, 'Your choice', keep)
  flowText(
    sheet,
    'Check one box. No one may choose for you, and you may ask us any questions first.',
  )
  sheet.y += 8
  for (const block of blocks) renderBlock(sheet, block, 9)
}

function optionBlock(sheet: Sheet, title: string, text: string): Block {
  const indent = BOX + 11
  const width = sheet.width - indent
  const words = stackBlock([
    textBlock(sheet, title, STYLES.strong, width),
    textBlock(sheet, text, STYLES.body, width),
  ])
  return {
    height: words.height,
    render: (x, y) => {
      renderArtifact(sheet, () => {
        sheet.doc.roundedRect(x + 0.5, y + 1.5, BOX, BOX, 1.5)
        sheet.doc.lineWidth(1).strokeColor(COLORS.ink).stroke()
      })
      words.render(x + indent, y)
    },
  }
}

function renderSignatureLines(sheet: Sheet): void {
  const text =
    'With my signature I confirm that I have been given this notice and have understood it, and that I may keep a copy.'
  const words = textBlock(sheet, text, STYLES.body, sheet.width)
  sheet.y += 6
  renderBlock(sheet, words, 40)
  const { left, width, y } = sheet
  const parts = [
    { label: 'Signature of the patient or representative', x: left, width: width * 0.64 },
    { label: 'Date', x: left + width * 0.7, width: width * 0.3 },
  ]
  for (const part of parts) {
    renderRule(sheet, y, { x: part.x, width: part.width, color: COLORS.ink, weight: 0.8 })
    renderElement(sheet, 'P', () => renderLine(sheet, part.label, part.x, y + 4, STYLES.label))
  }
  sheet.y = y + 4 + STYLES.label.leading + 12
  const remark = 'Where an insurer prescribes a form of its own, this notice does not replace it.'
  renderBlock(sheet, textBlock(sheet, remark, STYLES.small, width))
}
