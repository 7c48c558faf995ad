import { FASTING_TEXTS, KIT_TEXTS, METHOD_TEXTS, VISIT_TEXTS } from './collection-texts.registry.ts'
import type { CollectionInstructionsInput } from './document-inputs.ts'
import { fullName, phoneWords, sampleWords } from './document-words.ts'
import { NUMBER_WIDTH, renderNumber } from './layout/barcode.ts'
import { panelBlock, renderBlock, stackBlock, textBlock } from './layout/block.ts'
import { renderList } from './layout/list.ts'
import {
  flowText,
  renderFooter,
  renderHeading,
  renderRunningHead,
  renderTopBar,
} from './layout/section.ts'
import { closeSheet, LETTER, LETTER_MARGINS, openSheet, type Sheet } from './layout/sheet.ts'
import { renderTableSection } from './layout/table.ts'
import { STYLES } from './layout/text-styles.ts'

/** Renders instructions for the patient before, during and after the collection as PDF. */
export async function renderCollectionInstructions(
  input: CollectionInstructionsInput,
): Promise<Buffer> {
  const { method, patient, sampleId } = input
  const text = METHOD_TEXTS[method]
  const sheet = openSheet({
    title: text.title,
    at: input.at,
    size: LETTER,
    margins: LETTER_MARGINS,
  })
  const whose = [
    patient === null ? '' : fullName(patient),
    sampleId === null ? '' : `Requisition ${sampleId}`,
  ]
    .filter((part) => part !== '')
    .join('  ·  ')
  sheet.runningHead = () => renderRunningHead(sheet, text.title, whose)
  renderTopBar(sheet)
  renderTitle(sheet, input)
  flowText(sheet, text.intro, STYLES.lead)
  renderFasting(sheet, input.fasting)
  renderBefore(sheet, input)
  if (method === 'testkit') renderKitSteps(sheet, input)
  renderHeading(sheet, text.stepsTitle, 60)
  renderList(sheet, text.steps, { isNumbered: true })
  renderClosing(sheet, input)
  renderTests(sheet, input)
  return closeSheet(sheet, (page, pages) => renderFooter(sheet, whose, page, pages))
}

/** Renders title and name on the left, and on the right the number, which service centers scan. */
function renderTitle(
  sheet: Sheet,
  { method, patient, sampleId }: CollectionInstructionsInput,
): void {
  const { left, y } = sheet
  const width = sheet.width - (sampleId === null ? 0 : NUMBER_WIDTH + 12)
  const words = stackBlock(
    [
      textBlock(sheet, METHOD_TEXTS[method].title, STYLES.title, width, { type: 'H1' }),
      patient === null ? null : textBlock(sheet, `For ${fullName(patient)}`, STYLES.lead, width),
    ],
    3,
  )
  words.render(left, y)
  const numberHeight = sampleId === null ? 0 : renderNumber(sheet, sampleId, y + 4) + 4
  sheet.y = y + Math.max(words.height, numberHeight) + 12
}

/** Renders the fasting instruction, which patients need to know in time. */
function renderFasting(sheet: Sheet, fasting: boolean): void {
  const { title, text } = FASTING_TEXTS[`${fasting}`]
  const width = sheet.width - 28
  const inner = stackBlock(
    [
      textBlock(sheet, title, STYLES.heading, width, { type: 'H2' }),
      textBlock(sheet, text, STYLES.read, width),
    ],
    3,
  )
  sheet.y += 12
  renderBlock(sheet, panelBlock(sheet, inner, { hasStripe: true }))
}

function renderBefore(sheet: Sheet, { method, tests }: CollectionInstructionsInput): void {
  const { beforeTitle, before } = METHOD_TEXTS[method]
  const extra =
    method === 'testkit' ? [] : sampleTypes(tests).map((type) => VISIT_TEXTS[type] ?? null)
  renderHeading(sheet, beforeTitle, 60)
  renderList(sheet, [...before, ...extra.filter((text) => text !== null)])
}

function renderKitSteps(sheet: Sheet, { tests }: CollectionInstructionsInput): void {
  const texts = sampleTypes(tests)
    .map((type) => KIT_TEXTS[type])
    .filter((text) => text !== undefined)
  for (const { title, steps } of texts) {
    renderHeading(sheet, texts.length === 1 ? `Take the sample: ${title.toLowerCase()}` : title, 60)
    renderList(sheet, steps, { isNumbered: true })
  }
  if (texts.length === 0) {
    renderHeading(sheet, 'Take the sample')
    flowText(sheet, 'Follow the leaflet that came with your kit.', STYLES.read)
  }
}

function sampleTypes(tests: CollectionInstructionsInput['tests']): string[] {
  return [...new Set(tests.map(({ sample_type }) => sample_type))].filter((type) => type !== null)
}

function renderTests(sheet: Sheet, { tests }: CollectionInstructionsInput): void {
  const columns = [
    { title: 'Test', width: 0 },
    { title: 'Sample', width: 150 },
  ]
  const rows = tests.map(({ name, sample_type }) => ({
    cells: [name, sample_type === null ? '–' : sampleWords(sample_type)],
  }))
  renderTableSection(sheet, tests.length === 1 ? 'Your test' : 'Your tests', columns, rows)
}

function renderClosing(sheet: Sheet, { method, laboratory }: CollectionInstructionsInput): void {
  const phone = laboratory.phone_number === null ? '' : ` at ${phoneWords(laboratory.phone_number)}`
  const help = `If anything goes wrong, or you are not sure, stop and ask whoever ordered the tests, or ${laboratory.name}${phone}. In an emergency call 911.`
  const width = sheet.width - 24
  const inner = stackBlock(
    [
      textBlock(sheet, METHOD_TEXTS[method].after, STYLES.read, width),
      textBlock(sheet, help, STYLES.read, width),
    ],
    5,
  )
  sheet.y += 16
  renderBlock(sheet, panelBlock(sheet, inner))
}
