import {
  drawGrid,
  drawKindHeading,
  drawParagraph,
  type Sheet,
  type SpecialistTruth,
  sayFor,
} from './sheet.ts'

const ORGANISMS = [
  'Escherichia coli',
  'Klebsiella pneumoniae',
  'Staphylococcus aureus',
  'Enterococcus faecalis',
]
const ANTIBIOTICS: Record<Sheet['part'], string[]> = {
  tuned: [
    'Ampicillin',
    'Cefazolin',
    'Ceftriaxone',
    'Ciprofloxacin',
    'Gentamicin',
    'Nitrofurantoin',
    'Trimethoprim/Sulfa',
  ],
  unseen: [
    'Amoxicillin/Clavulanate',
    'Cefuroxime',
    'Levofloxacin',
    'Meropenem',
    'Piperacillin/Tazobactam',
    'Fosfomycin',
  ],
}
const CONCENTRATIONS = ['<=0.5', '<=1', '<=4', '2', '8', '16', '>=32', '>=64']

const truthOf = (sheet: Sheet, name: string, value: string): SpecialistTruth => ({
  name,
  value,
  unit: null,
  reference_range: null,
  flag: null,
  interpretation: null,
  loinc: null,
  sample_type: sheet.sample,
  low: null,
  high: null,
})

/** Susceptibility of one organism to one drug. */
interface Tested {
  drug: string
  mic: string
  category: string
}

/**
 * Draws organisms with their counts and their susceptibility to antibiotics; in the unseen part two
 * organisms in two columns. A row of an antibiotic may be read with its concentration or its
 * category as the value, but not only half of the rows.
 */
export function drawAntibiogram(sheet: Sheet): void {
  const { random, part } = sheet
  const panel = drawKindHeading(sheet)
  const all = [random.pick(ORGANISMS.slice(0, 2)), random.pick(ORGANISMS.slice(2))]
  const count = random.pick(['>100,000 CFU/mL', '50,000 CFU/mL', '10^5 CFU/mL'])
  const found = part === 'unseen' || random.chance(0.3) ? all : all.slice(0, 1)
  const areApart = part === 'tuned' && found.length > 1 && random.chance(0.5)
  const categories =
    part === 'tuned' && random.chance(0.3)
      ? ['Susceptible', 'Susceptible', 'Intermediate', 'Resistant']
      : ['S', 'S', 'S', 'I', 'R']
  const test = (drug: string): Tested => ({
    drug,
    mic: random.pick(CONCENTRATIONS),
    category: random.pick(categories),
  })
  const name = (organism: string, at: number): void => {
    const label = `${sayFor(sheet, 'organism')} ${at + 1}`
    drawParagraph(sheet, `${label}: ${organism}`)
    sheet.rows.push({ ...truthOf(sheet, label, organism), panel, optional: true })
  }
  const drugs = ANTIBIOTICS[part]
  for (const [at, organism] of found.entries()) {
    name(organism, at)
    if (!areApart) continue
    sayCount(sheet, count, panel)
    drawTested(sheet, drugs.map(test), panel)
  }
  if (!areApart) {
    sayCount(sheet, count, panel)
    if (found.length > 1) drawColumnsOfOrganisms(sheet, drugs, test, panel)
    else drawTested(sheet, drugs.map(test), panel)
  }
  const legend =
    part === 'tuned'
      ? 'S = susceptible, I = intermediate, R = resistant (CLSI M100)'
      : 'EUCAST 15.0: S / I / R'
  drawParagraph(sheet, legend, { size: sheet.painter.style.size * 0.8 })
}

function sayCount(sheet: Sheet, count: string, panel: string): void {
  const label = sayFor(sheet, 'count')
  drawParagraph(sheet, `${label}: ${count}`)
  sheet.rows.push({
    ...truthOf(sheet, label, count),
    panel,
    optional: true,
    value_also: [count.split(' ')[0] ?? ''],
    unit_any: ['CFU/mL'],
  })
}

const BREAKPOINTS = ['<=8 / >=32', '<=1 / >=4', '<=16 / >=64']

/**
 * Draws drug, concentration and category in one of the usual orders, some with limits, some in two
 * halves.
 */
function drawTested(sheet: Sheet, tested: readonly Tested[], panel: string): void {
  const { random } = sheet
  const drug = { title: sayFor(sheet, 'antibiotic'), share: 3 }
  const mic = { title: random.pick(['MIC ug/mL', 'MIC (ug/mL)', 'MIC']), share: 2 }
  const category = { title: random.pick(['S/I/R', 'Interp', 'Interpretation']), share: 2 }
  const limits = { title: 'S / R', share: 2 }
  const cells = {
    drug: { column: drug, say: (each: Tested) => each.drug },
    mic: { column: mic, say: (each: Tested) => each.mic },
    category: { column: category, say: (each: Tested) => each.category },
    limits: { column: limits, say: () => random.pick(BREAKPOINTS) },
  }
  const order = random.pick([
    ['drug', 'mic', 'category'],
    ['drug', 'mic', 'category'],
    ['drug', 'category', 'mic'],
    ['drug', 'category'],
    ['mic', 'category', 'drug'],
    ['category', 'drug', 'mic'],
    ['drug', 'mic', 'limits', 'category'],
  ] as const)
  const columns = order.map((key) => cells[key].column)
  const write = (each: Tested | undefined) => order.map((key) => (each ? cells[key].say(each) : ''))
  const half = Math.ceil(tested.length / 2)
  if (order.length < 4 && random.chance(0.25)) {
    const lines = tested
      .slice(0, half)
      .map((each, at) => [...write(each), ...write(tested[half + at])])
    drawGrid(sheet, [...columns, ...columns], lines)
  } else drawGrid(sheet, columns, tested.map(write))
  for (const each of tested) addTested(sheet, each, !order.includes('mic' as never), panel)
}

function addTested(sheet: Sheet, tested: Tested, isCategoryOnly: boolean, panel: string): void {
  const { drug, mic, category } = tested
  if (isCategoryOnly) {
    sheet.rows.push({ ...truthOf(sheet, drug, category), panel })
    return
  }
  sheet.rows.push({
    ...truthOf(sheet, drug, mic),
    panel,
    flag: category,
    value_also: [category, `${mic} ${category}`, `${category} ${mic}`],
    unit_any: ['ug/mL', 'µg/mL'],
  })
}

/**
 * Draws a column of categories for each organism; some tuned reports print concentrations, too.
 */
function drawColumnsOfOrganisms(
  sheet: Sheet,
  drugs: readonly string[],
  test: (drug: string) => Tested,
  panel: string,
): void {
  const { random, part } = sheet
  const name = { title: sayFor(sheet, 'antibiotic'), share: 3 }
  const hasMic = part === 'tuned' && random.chance(0.5)
  const rows = drugs.map((drug) => [test(drug), test(drug)])
  const columns = [1, 2].flatMap((at) => [
    ...(hasMic ? [{ title: `MIC (${at})`, share: 1 }] : []),
    { title: `(${at})`, share: 1 },
  ])
  const say = ({ mic, category }: Tested) => (hasMic ? [mic, category] : [category])
  drawGrid(
    sheet,
    [name, ...columns],
    rows.map((row, at) => [drugs[at] ?? '', ...row.flatMap(say)]),
  )
  for (const row of rows) for (const each of row) addTested(sheet, each, !hasMic, panel)
}

const GENES: Record<Sheet['part'], [gene: string, genotype: string, phenotype: string][]> = {
  tuned: [
    ['CYP2D6', '*1/*4', 'Intermediate metabolizer'],
    ['CYP2C19', '*2/*2', 'Poor metabolizer'],
    ['CYP2C9', '*1/*1', 'Normal metabolizer'],
    ['VKORC1', 'G/A', 'Intermediate sensitivity'],
    ['SLCO1B1', '*1/*5', 'Decreased function'],
  ],
  unseen: [
    ['CYP3A5', '*3/*3', 'Non-expressor'],
    ['TPMT', '*1/*3A', 'Intermediate metabolizer'],
    ['DPYD', '*1/*1', 'Normal metabolizer'],
    ['UGT1A1', '*28/*28', 'Poor metabolizer'],
    ['Factor V Leiden', 'G/A', 'Heterozygous'],
  ],
}

/** Draws genotypes beside their meaning; in the unseen part as lines of text. */
export function drawGenotypes(sheet: Sheet): void {
  const panel = drawKindHeading(sheet)
  const genes = GENES[sheet.part].filter(() => sheet.random.chance(0.9))
  if (sheet.part === 'tuned') {
    drawGrid(
      sheet,
      ['gene', 'genotype', 'phenotype'].map((key) => ({ title: sayFor(sheet, key), share: 1 })),
      genes,
    )
  } else {
    for (const [gene, genotype, phenotype] of genes) {
      drawParagraph(sheet, `${gene}: ${genotype} (${phenotype})`)
    }
  }
  for (const [gene, genotype, phenotype] of genes) {
    sheet.rows.push({
      ...truthOf(sheet, gene, genotype),
      panel,
      value_also: [phenotype, `${genotype} ${phenotype}`, `${genotype} (${phenotype})`],
    })
  }
  drawParagraph(sheet, 'CPIC 2024, 44 variants, > 99 % at 30x', {
    size: sheet.painter.style.size * 0.8,
  })
}
