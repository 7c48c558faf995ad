import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { getLoincTable } from './loinc-table.ts'
import { convertValue, findMeasurement } from './measurements.ts'

/**
 * Factors as they are printed in tables of SI units (AMA Manual of Style and JAMA; of drugs also
 * ASHP): component, conventional unit, factor, SI unit. None of them is computed.
 */
const printed = `
Acetaminophen|ug/mL|6.614|umol/L
Acetone|mg/dL|0.1722|mmol/L
Alanine|mg/dL|112.2|umol/L
Aldosterone|ng/dL|0.02774|nmol/L
Alpha 1 antitrypsin|mg/dL|0.184|umol/L
Alpha tocopherol|mg/dL|23.22|umol/L
Amikacin|ug/mL|1.708|umol/L
Ammonia|ug/dL|0.587|umol/L
Androstenedione|ng/dL|0.03492|nmol/L
Arginine|mg/dL|57.4|umol/L
Arsenic|ug/dL|0.1335|umol/L
Ascorbate|mg/dL|56.78|umol/L
Asparagine|mg/dL|75.69|umol/L
Beta-2-Microglobulin|ug/mL|85|nmol/L
Beta hydroxybutyrate|mg/dL|0.0961|mmol/L
Bilirubin|mg/dL|17.1|umol/L
Bilirubin.glucuronidated|mg/dL|17.1|umol/L
Bromide|mg/dL|0.125|mmol/L
C peptide|ng/mL|0.333|nmol/L
C reactive protein|mg/L|9.524|nmol/L
Caffeine|ug/mL|5.15|umol/L
Calcidiol|ng/mL|2.496|nmol/L
Calcium|mg/dL|0.2495|mmol/L
Calcium|meq/L|0.5|mmol/L
Calcium.ionized|meq/L|0.5|mmol/L
Carotene|ug/dL|0.01863|umol/L
Chloride|meq/L|1|mmol/L
Carbon dioxide|meq/L|1|mmol/L
Bicarbonate|meq/L|1|mmol/L
Anion gap|meq/L|1|mmol/L
Base excess|meq/L|1|mmol/L
Cholesterol|mg/dL|0.02586|mmol/L
Cholesterol.in HDL|mg/dL|0.02586|mmol/L
Cholesterol.in LDL|mg/dL|0.02586|mmol/L
Citrate|mg/dL|52.05|umol/L
Cobalamins|pg/mL|0.7378|pmol/L
Copper|ug/dL|0.1574|umol/L
Corticotropin|pg/mL|0.22|pmol/L
Cortisol|ug/dL|27.59|nmol/L
Cotinine|ng/mL|5.67|nmol/L
Creatinine|mg/dL|88.4|umol/L
Dehydroepiandrosterone|ng/mL|3.467|nmol/L
Dehydroepiandrosterone sulfate|ug/dL|0.02714|umol/L
Digitoxin|ng/mL|1.307|nmol/L
Digoxin|ng/mL|1.281|nmol/L
Disopyramide|ug/mL|2.946|umol/L
DOPamine|pg/mL|6.528|pmol/L
EPINEPHrine|pg/mL|5.458|pmol/L
Estradiol|pg/mL|3.671|pmol/L
Estriol|ng/mL|3.467|nmol/L
Estrone|ng/dL|36.99|pmol/L
Ethanol|mg/dL|0.217|mmol/L
Ethylene glycol|mg/dL|0.1611|mmol/L
Ferritin|ng/mL|2.247|pmol/L
Folate|ng/mL|2.266|nmol/L
Gentamicin|ug/mL|2.09|umol/L
Glucose|mg/dL|0.05551|mmol/L
Glutamine|mg/dL|68.42|umol/L
Glycine|mg/dL|133.3|umol/L
Hemoglobin|g/dL|0.6206|mmol/L
Histidine|mg/dL|64.45|umol/L
5-Hydroxyindoleacetate|mg/(24.h)|5.23|umol/(24.h)
Homocysteine|mg/L|7.397|umol/L
17-Hydroxyprogesterone|ng/mL|3.026|nmol/L
Insulin-like growth factor-I|ng/mL|0.131|nmol/L
Iron|ug/dL|0.179|umol/L
Iron binding capacity|ug/dL|0.179|umol/L
Isoleucine|mg/dL|76.24|umol/L
Isopropanol|mg/dL|0.1664|mmol/L
Lactate|mg/dL|0.111|mmol/L
Lead|ug/dL|0.0483|umol/L
Leucine|mg/dL|76.24|umol/L
Lidocaine|ug/mL|4.267|umol/L
Lithium|meq/L|1|mmol/L
Lysine|mg/dL|68.4|umol/L
Magnesium|mg/dL|0.4114|mmol/L
Magnesium|meq/L|0.5|mmol/L
Mercury|ug/L|4.985|nmol/L
Metanephrines|mg/(24.h)|5.07|umol/(24.h)
Methanol|mg/dL|0.3121|mmol/L
Methionine|mg/dL|67.02|umol/L
Methotrexate|ug/mL|2.2|umol/L
Morphine|ng/mL|3.505|nmol/L
Myoglobin|ug/L|0.0571|nmol/L
N-acetylprocainamide|ug/mL|3.606|umol/L
Norepinephrine|pg/mL|0.005911|nmol/L
Ornithine|mg/dL|75.67|umol/L
Phenylalanine|mg/dL|60.54|umol/L
PHENobarbital|ug/mL|4.306|umol/L
Phenytoin|ug/mL|3.964|umol/L
Phosphate|mg/dL|0.3229|mmol/L
Potassium|meq/L|1|mmol/L
Primidone|ug/mL|4.582|umol/L
Procainamide|ug/mL|4.249|umol/L
Progesterone|ng/mL|3.18|nmol/L
Proline|mg/dL|86.86|umol/L
Propoxyphene|ng/mL|2.946|nmol/L
Pyruvate|mg/dL|113.6|umol/L
quiNIDine|ug/mL|3.082|umol/L
Retinol|ug/dL|0.03491|umol/L
Salicylates|mg/dL|0.0724|mmol/L
Selenium|ug/L|0.0127|umol/L
Serine|mg/dL|95.16|umol/L
Sodium|meq/L|1|mmol/L
Taurine|mg/dL|79.91|umol/L
Testosterone|ng/dL|0.0347|nmol/L
Theophylline|ug/mL|5.55|umol/L
Threonine|mg/dL|83.95|umol/L
Thyroxine|ug/dL|12.87|nmol/L
Thyroxine.free|ng/dL|12.87|pmol/L
Tobramycin|ug/mL|2.139|umol/L
Triglyceride|mg/dL|0.01129|mmol/L
Triiodothyronine|ng/dL|0.01536|nmol/L
Triiodothyronine.free|pg/mL|1.536|pmol/L
Tyrosine|mg/dL|55.19|umol/L
Urate|mg/dL|59.48|umol/L
Urea nitrogen|mg/dL|0.357|mmol/L
Urobilinogen|mg/(24.h)|1.693|umol/(24.h)
Valine|mg/dL|85.36|umol/L
Valproate|ug/mL|6.934|umol/L
Vancomycin|ug/mL|0.69|umol/L
Vanillylmandelate|mg/(24.h)|5.046|umol/(24.h)
Xylose|mg/dL|0.0666|mmol/L
Zinc|ug/dL|0.153|umol/L
carBAMazepine|ug/mL|4.233|umol/L
cycloSPORINE|ng/mL|0.832|nmol/L
`

/** Factors of `miracum/loinc-conversion`, from SI units, for what those tables leave out. */
const printedFromSi = `
10-Hydroxycarbazepine|umol/L|0.2543|ug/mL
11-Deoxycorticosterone|nmol/L|33.05|ng/dL
6-Monoacetylmorphine|nmol/L|0.3274|ng/mL
Androstanolone|pmol/L|0.2904|pg/mL
Calcitriol|pmol/L|0.4166|pg/mL
Codeine|nmol/L|0.2994|ng/mL
Estimated average glucose|mmol/L|18.02|mg/dL
lamoTRIgine|umol/L|0.256|ug/mL
Natriuretic peptide.B prohormone N-Terminal|pmol/L|8.457|pg/mL
Nordiazepam|nmol/L|0.2707|ng/mL
Normetanephrine|nmol/L|183.2|ng/L
Oxalate|umol/L|0.08802|ug/mL
Oxazepam|nmol/L|0.2867|ng/mL
oxyCODONE|nmol/L|0.3154|ng/mL
Parathyrin.intact|pmol/L|9.425|pg/mL
Pregnenolone|nmol/L|31.65|ng/dL
Urea|mmol/L|6.006|mg/dL
`

const atomicWeights: Record<string, number> = {
  H: 1.008,
  C: 12.011,
  N: 14.007,
  O: 15.999,
  Na: 22.99,
  Mg: 24.305,
  P: 30.974,
  S: 32.06,
  Cl: 35.45,
  K: 39.098,
  Ca: 40.078,
  Fe: 55.845,
  Co: 58.933,
  Cu: 63.546,
  Zn: 65.38,
  As: 74.922,
  Se: 78.971,
  Br: 79.904,
  I: 126.904,
  Hg: 200.592,
  Pb: 207.2,
  Li: 6.94,
}

const rowsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split('|'))

const listed = readFileSync(
  new URL('../../data/loinc/molecular-weights.tsv', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [component = '', formula = '', weight = '', charge = '', of = '', source = ''] =
      line.split('\t')
    return { component, formula, weight, charge, of, source }
  })

function measure(component: string) {
  const [row] = getLoincTable().findComponent(component)
  assert.ok(row, component)
  return findMeasurement(row.code)
}

const convert = (component: string, value: number, from: string, to: string) =>
  convertValue(value, { from, to, measurement: measure(component) })

test('every printed factor is met within a hundredth, there and back', async () => {
  for (const [component = '', from = '', factor, to = ''] of [
    ...rowsOf(printed),
    ...rowsOf(printedFromSi),
  ]) {
    const there = await convert(component, 1, from, to)
    const ratio = Number(there) / Number(factor)
    assert.ok(ratio > 0.99 && ratio < 1.01, `${component}: ${there} for ${factor}`)
    const back = await convert(component, Number(factor), to, from)
    assert.ok(Math.abs(Number(back) - 1) < 0.01, `${component}: ${back} back`)
  }
})

test('values of patients are those that laboratories print', async () => {
  const examples: [string, number, string, number, string][] = [
    ['Phosphate', 3.4, 'mg/dL', 1.098, 'mmol/L'],
    ['Urea nitrogen', 14, 'mg/dL', 5, 'mmol/L'],
    ['Urea', 30, 'mg/dL', 5, 'mmol/L'],
    ['Hemoglobin', 14.5, 'g/dL', 9, 'mmol/L'],
    ['Erythrocyte mean corpuscular hemoglobin concentration', 33.5, 'g/dL', 20.8, 'mmol/L'],
    ['Triglyceride', 150, 'mg/dL', 1.69, 'mmol/L'],
    ['Cholesterol', 200, 'mg/dL', 5.17, 'mmol/L'],
    ['Glucose^2H post meal', 126, 'mg/dL', 6.99, 'mmol/L'],
    ['Iron binding capacity', 300, 'ug/dL', 53.7, 'umol/L'],
    ['Calcium', 10, 'mg/dL', 4.99, 'meq/L'],
    ['Magnesium', 2, 'mg/dL', 1.646, 'meq/L'],
    ['Creatinine', 1.2, 'mg/dL', 106.1, 'umol/L'],
    ['Calcidiol', 30, 'ng/mL', 74.9, 'nmol/L'],
  ]
  for (const [component, value, from, expected, to] of examples) {
    const got = await convert(component, value, from, to)
    assert.ok(
      Math.abs(Number(got) / expected - 1) < 0.004,
      `${component}: ${got} for ${expected} ${to}`,
    )
  }
})

test('every weight has a factor in print or the formula of one substance', () => {
  const inPrint = new Set([...rowsOf(printed), ...rowsOf(printedFromSi)].map(([name]) => name))
  const fractions =
    /^(?:Cholesterol|Bilirubin|Cortisol|Testosterone|Insulin|Estriol|Iron|Phenytoin|Metanephrine|Triiodothyronine|Carnitine|Hemoglobin|Erythrocyte mean corpuscular hemoglobin)/
  for (const { component, formula, weight, charge, of, source } of listed) {
    assert.ok(of && source, component)
    if (!weight) {
      assert.ok(source === 'refused' || charge, component)
      continue
    }
    if (formula) {
      const sum = [...formula.matchAll(/([A-Z][a-z]?)(\d*)/g)].reduce(
        (total, [, element = '', count]) =>
          total + Number(atomicWeights[element]) * Number(count || 1),
        0,
      )
      assert.ok(Math.abs(sum / Number(weight) - 1) < 1e-4, `${component}: ${sum}`)
    } else {
      assert.ok(inPrint.has(component) || fractions.test(component), component)
    }
  }
})

test('what sources contradict each other about is not converted', async () => {
  const refused = listed.filter(({ source }) => source === 'refused')
  assert.ok(refused.length > 20)
  for (const { component } of refused) {
    assert.equal(await convert(component, 1, 'mg/dL', 'umol/L'), null, component)
    assert.equal(await convert(component, 1, 'g/L', 'mg/dL'), 100, component)
  }
  assert.equal(await convert('Insulin', 1, 'u[IU]/mL', 'pmol/L'), null)
  assert.equal(await convert('Phosphate', 1, 'meq/L', 'mmol/L'), null)
  assert.equal(await convert('Urobilinogen', 1, "{Ehrlich'U}/dL", 'umol/L'), null)
})
