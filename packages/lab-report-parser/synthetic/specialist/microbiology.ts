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

/**
 * An organism with its count, and what antibiotics do to it; in the unseen part of two organisms in two columns.
 * A row of an antibiotic may be read with its concentration or its category as the value, never with half of the rows.
 */
export function drawAntibiogram(sheet: Sheet): void {
  const { random, part } = sheet
  const panel = drawKindHeading(sheet)
  const organisms = [random.pick(ORGANISMS.slice(0, 2)), random.pick(ORGANISMS.slice(2))]
  const count = random.pick(['>100,000 CFU/mL', '50,000 CFU/mL', '10^5 CFU/mL'])
  const antibiotics = ANTIBIOTICS[part]
  const category = () => random.pick(['S', 'S', 'S', 'I', 'R'])
  const add = (truth: SpecialistTruth) => sheet.rows.push({ ...truth, panel })
  const found = part === 'tuned' ? organisms.slice(0, 1) : organisms
  for (const [at, organism] of found.entries()) {
    const label = `${sayFor(sheet, 'organism')} ${at + 1}`
    drawParagraph(sheet, `${label}: ${organism}`)
    add({ ...truthOf(sheet, label, organism), optional: true })
  }
  drawParagraph(sheet, `${sayFor(sheet, 'count')}: ${count}`)
  add({
    ...truthOf(sheet, sayFor(sheet, 'count'), count),
    optional: true,
    value_also: [count.split(' ')[0] ?? ''],
    unit_any: ['CFU/mL'],
  })
  const name = { title: sayFor(sheet, 'antibiotic'), share: 3 }
  if (part === 'tuned') {
    const rows = antibiotics.map((antibiotic) => [
      antibiotic,
      random.pick(CONCENTRATIONS),
      category(),
    ])
    drawGrid(sheet, [name, { title: 'MIC ug/mL', share: 2 }, { title: 'S/I/R', share: 1 }], rows)
    for (const [antibiotic = '', mic = '', result = ''] of rows) {
      add({
        ...truthOf(sheet, antibiotic, mic),
        flag: result,
        value_also: [result, `${mic} ${result}`, `${result} ${mic}`],
        unit_any: ['ug/mL', 'µg/mL'],
      })
    }
  } else {
    const rows = antibiotics.map((antibiotic) => [antibiotic, category(), category()])
    drawGrid(sheet, [name, { title: '(1)', share: 1 }, { title: '(2)', share: 1 }], rows)
    for (const [antibiotic = '', ...results] of rows) {
      for (const result of results) add(truthOf(sheet, antibiotic, result))
    }
  }
  drawParagraph(
    sheet,
    part === 'tuned'
      ? 'S = susceptible, I = intermediate, R = resistant (CLSI M100)'
      : 'EUCAST 15.0: S / I / R',
    {
      size: sheet.painter.style.size * 0.8,
    },
  )
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

/** Genotypes, beside what they mean; in the unseen part as lines. */
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
