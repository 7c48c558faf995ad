import type { TruthHeader } from '../../eval/truth.ts'
import { drawNotation } from '../notation.ts'
import { framePages } from '../page-frame.ts'
import { Painter } from '../painter.ts'
import { createRandom, type Random } from '../random.ts'
import { drawReport } from '../report.ts'
import { drawStyle, type Part, type Style } from '../style.ts'
import { WORDS } from '../words.ts'
import { drawCritical, drawLegend } from './boxes.ts'
import { drawGroups } from './groups.ts'
import { drawAntibiogram, drawGenotypes } from './microbiology.ts'
import { drawArrows, drawPanel, drawRemarks } from './panels.ts'
import {
  drawCardsOfResults,
  drawCumulative,
  drawDifferential,
  drawHalfPages,
  drawTransposed,
} from './placements.ts'
import { drawAllergens, drawDrugScreen } from './screens.ts'
import type { Sheet, SpecialistTruth } from './sheet.ts'
import { turnPages } from './turn-pages.ts'
import { SPECIALIST_LANGUAGES } from './words.ts'

/** A document of a kind that parsers of tables misread, with its truth. */
export interface SpecialistDocument {
  /** Kind and language, such as `blood-gas-es`. */
  name: string
  kind: SpecialistKind
  /** Whether a parser may refuse it: refusing is not an error, reading only a part of it is. */
  mayRefuse: boolean
  pdf: Uint8Array
  rows: SpecialistTruth[]
  header: TruthHeader
}

interface KindOptions {
  draw: (sheet: Sheet) => void
  sample?: string
  mayRefuse?: boolean
  needsArrows?: boolean
  isTurned?: boolean
  isFemale?: boolean
}

const KINDS = {
  'drug-screen': { draw: drawDrugScreen, sample: 'urine' },
  allergy: { draw: drawAllergens },
  comparators: { draw: drawPanel },
  groups: { draw: drawGroups },
  phases: { draw: drawGroups, isFemale: true },
  cards: { draw: drawCardsOfResults },
  'half-page': { draw: drawHalfPages },
  arrows: { draw: drawArrows, needsArrows: true },
  turned: { draw: drawRemarks, isTurned: true },
  remarks: { draw: drawRemarks },
  critical: { draw: drawCritical },
  legend: { draw: drawLegend },
  antibiogram: { draw: drawAntibiogram, sample: 'urine', mayRefuse: true },
  genetic: { draw: drawGenotypes, mayRefuse: true },
  transposed: { draw: drawTransposed, mayRefuse: true },
  cumulative: { draw: drawCumulative },
  'urine-dip': { draw: drawPanel, sample: 'urine' },
  'blood-gas': { draw: drawPanel },
  differential: { draw: drawDifferential },
  semen: { draw: drawPanel, sample: 'other' },
  coagulation: { draw: drawPanel },
  titers: { draw: drawPanel },
  'serology-index': { draw: drawPanel },
} satisfies Record<string, KindOptions>

export type SpecialistKind = keyof typeof KINDS
export const SPECIALIST_KINDS = Object.keys(KINDS) as SpecialistKind[]

/**
 * The same seed and part give the same bytes; consecutive seeds go through the kinds in turn.
 * All people, laboratories and values are invented.
 */
export async function drawSpecialist(seed: number, part: Part): Promise<SpecialistDocument> {
  const kind = SPECIALIST_KINDS[seed % SPECIALIST_KINDS.length] as SpecialistKind
  const options: KindOptions = KINDS[kind]
  const random = createRandom(seed * 2 + (part === 'unseen' ? 1 : 0) + 0x5a17)
  const language = random.chance(0.4) ? 'en' : random.pick(SPECIALIST_LANGUAGES.slice(1))
  const style = drawSpecialistStyle(random, part, options)
  const notation = drawNotation(random, language, style.font.hasSymbols)
  const { person, ...report } = drawReport(
    random,
    notation,
    { isUpper: false, hasRanges: true, hasPrevious: false, hasMethod: false, commentShare: 0 },
    0,
  )
  if (options.isFemale && person.sex === 'male') {
    person.sex = 'female'
    person.first = random.pick(WORDS[language].firstNames.female)
  }
  const painter = new Painter(style)
  const framed = { ...report, person }
  framePages(painter, random, framed)
  if (options.isTurned) turnPages(painter, random, part)
  painter.addPage()
  const sheet: Sheet = {
    kind,
    part,
    language,
    painter,
    random,
    notation,
    person,
    collected: report.collected,
    sample: options.sample ?? 'serum_plasma_blood',
    rows: [],
  }
  options.draw(sheet)
  return {
    name: `${kind}-${language}`,
    kind,
    mayRefuse: options.mayRefuse ?? false,
    pdf: await painter.finish(),
    rows: sheet.rows,
    header: framed.header,
  }
}

/** Chooses a style of the part; arrows need a font with arrows, turned pages a wide format. */
function drawSpecialistStyle(random: Random, part: Part, options: KindOptions): Style {
  let style = drawStyle(random, part)
  while (options.needsArrows && !style.font.hasSymbols) style = drawStyle(random, part)
  return {
    ...style,
    isLandscape: options.isTurned ?? false,
    size: Math.min(style.size, 9.5),
    margin: Math.min(style.margin, 44),
    watermark: null,
  }
}
