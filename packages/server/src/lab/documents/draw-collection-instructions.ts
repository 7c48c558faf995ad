import { FASTING_TEXTS, KIT_TEXTS, METHOD_TEXTS, VISIT_TEXTS } from './collection-texts.registry.ts'
import type { CollectionInstructionsInput } from './document-inputs.ts'
import { fullName, phoneWords, sampleWords } from './document-words.ts'
import { drawNumber, NUMBER_WIDTH } from './layout/barcode.ts'
import { panel, place, stack, textBlock } from './layout/block.ts'
import { drawList } from './layout/list.ts'
import { drawFooter, drawHeading, drawRunningHead, drawTopBar, flowText } from './layout/section.ts'
import { closeSheet, LETTER, LETTER_MARGINS, openSheet, type Sheet } from './layout/sheet.ts'
import { drawTableSection } from './layout/table.ts'
import { STYLES } from './layout/text-styles.ts'

/** What the patient does before, during and after the collection, in plain words. As PDF. */
export async function drawCollectionInstructions(
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
  sheet.runningHead = () => drawRunningHead(sheet, text.title, whose)
  drawTopBar(sheet)
  drawTitle(sheet, input)
  flowText(sheet, text.intro, STYLES.lead)
  drawFasting(sheet, input.fasting)
  drawBefore(sheet, input)
  if (method === 'testkit') drawKitSteps(sheet, input)
  drawHeading(sheet, text.stepsTitle, 60)
  drawList(sheet, text.steps, { isNumbered: true })
  drawClosing(sheet, input)
  drawTests(sheet, input)
  return closeSheet(sheet, (page, pages) => drawFooter(sheet, whose, page, pages))
}

/** Title and name on the left; on the right the number, which service centers scan. */
function drawTitle(sheet: Sheet, { method, patient, sampleId }: CollectionInstructionsInput): void {
  const { left, y } = sheet
  const width = sheet.width - (sampleId === null ? 0 : NUMBER_WIDTH + 12)
  const words = stack(
    [
      textBlock(sheet, METHOD_TEXTS[method].title, STYLES.title, width, { type: 'H1' }),
      patient === null ? null : textBlock(sheet, `For ${fullName(patient)}`, STYLES.lead, width),
    ],
    3,
  )
  words.draw(left, y)
  const numberHeight = sampleId === null ? 0 : drawNumber(sheet, sampleId, y + 4) + 4
  sheet.y = y + Math.max(words.height, numberHeight) + 12
}

/** The one thing that people must know in time. */
function drawFasting(sheet: Sheet, fasting: boolean): void {
  const { title, text } = FASTING_TEXTS[`${fasting}`]
  const width = sheet.width - 28
  const inner = stack(
    [
      textBlock(sheet, title, STYLES.heading, width, { type: 'H2' }),
      textBlock(sheet, text, STYLES.read, width),
    ],
    3,
  )
  sheet.y += 12
  place(sheet, panel(sheet, inner, { hasStripe: true }))
}

function drawBefore(sheet: Sheet, { method, tests }: CollectionInstructionsInput): void {
  const { beforeTitle, before } = METHOD_TEXTS[method]
  const extra =
    method === 'testkit' ? [] : sampleTypes(tests).map((type) => VISIT_TEXTS[type] ?? null)
  drawHeading(sheet, beforeTitle, 60)
  drawList(sheet, [...before, ...extra.filter((text) => text !== null)])
}

function drawKitSteps(sheet: Sheet, { tests }: CollectionInstructionsInput): void {
  const texts = sampleTypes(tests)
    .map((type) => KIT_TEXTS[type])
    .filter((text) => text !== undefined)
  for (const { title, steps } of texts) {
    drawHeading(sheet, texts.length === 1 ? `Take the sample: ${title.toLowerCase()}` : title, 60)
    drawList(sheet, steps, { isNumbered: true })
  }
  if (texts.length === 0) {
    drawHeading(sheet, 'Take the sample')
    flowText(sheet, 'Follow the leaflet that came with your kit.', STYLES.read)
  }
}

function sampleTypes(tests: CollectionInstructionsInput['tests']): string[] {
  return [...new Set(tests.map(({ sample_type }) => sample_type))].filter((type) => type !== null)
}

function drawTests(sheet: Sheet, { tests }: CollectionInstructionsInput): void {
  const columns = [
    { title: 'Test', width: 0 },
    { title: 'Sample', width: 150 },
  ]
  const rows = tests.map(({ name, sample_type }) => ({
    cells: [name, sample_type === null ? '–' : sampleWords(sample_type)],
  }))
  drawTableSection(sheet, tests.length === 1 ? 'Your test' : 'Your tests', columns, rows)
}

function drawClosing(sheet: Sheet, { method, laboratory }: CollectionInstructionsInput): void {
  const phone = laboratory.phone_number === null ? '' : ` at ${phoneWords(laboratory.phone_number)}`
  const help = `If anything goes wrong, or you are not sure, stop and ask whoever ordered the tests, or ${laboratory.name}${phone}. In an emergency call 911.`
  const width = sheet.width - 24
  const inner = stack(
    [
      textBlock(sheet, METHOD_TEXTS[method].after, STYLES.read, width),
      textBlock(sheet, help, STYLES.read, width),
    ],
    5,
  )
  sheet.y += 16
  place(sheet, panel(sheet, inner))
}
