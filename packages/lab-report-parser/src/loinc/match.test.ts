import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toUcum } from '../values/unit.ts'
import { type LoincQuery, matchLoinc } from './match.ts'

function match(name: string, unit: string | null = null, rest: Partial<LoincQuery> = {}) {
  return matchLoinc({
    name,
    unit,
    ucumUnit: unit === null ? null : toUcum(unit),
    sampleType: 'unknown',
    panel: null,
    value: '5',
    low: null,
    high: null,
    ...rest,
  })
}

function sureCode(...query: Parameters<typeof match>): string | undefined {
  const { matches, status } = match(...query)
  return status === 'auto_match' ? matches[0]?.code : status
}

test('Names of seven languages find their codes', () => {
  const rows: [name: string, unit: string | null, code: string][] = [
    ['Haemoglobin (Hb)', 'g/L', '718-7'],
    ['Hemoglobina', 'g/dL', '718-7'],
    ['Hémoglobine', 'g/dL', '718-7'],
    ['Hämoglobin', 'g/dl', '718-7'],
    ['Hb', 'mmol/L', '59260-0'],
    ['Leukozyten', 'G/l', '6690-2'],
    ['Globules blancs', '10^9/L', '6690-2'],
    ['T.L.C.', '/cumm', '6690-2'],
    ['Plaquetas', 'x10^3/µL', '777-3'],
    ['Piastrine', '10^3/uL', '777-3'],
    ['VCM', 'fL', '787-2'],
    ['RDW-SD', 'fL', '21000-5'],
    ['R.D.W. - CV', '%', '788-0'],
    ['VSG 1ª hora', 'mm/h', 'needs_review'],
    ['Blutsenkung', 'mm/h', '30341-2'],
    ['Kreatinin', 'µmol/l', '14682-9'],
    ['Creatinina sérica', 'mg/dL', '2160-0'],
    ['S. Creatinine', 'mg/dL', '2160-0'],
    ['Harnsäure', 'mg/dl', '3084-1'],
    ['Ureum', 'mmol/L', '22664-7'],
    ['Glycémie à jeun', 'g/L', '1558-6'],
    ['Nüchternglukose', 'mmol/l', '14771-0'],
    ['Gesamtcholesterin', 'mmol/l', '14647-2'],
    ['Colesterolo HDL', 'mg/dL', '2085-9'],
    ['Triglicerídeos', 'mg/dL', '2571-8'],
    ['GPT (ALAT)', 'U/l', '1742-6'],
    ['TGO', 'U/L', '1920-8'],
    ['Fosfatase alcalina', 'U/L', '6768-6'],
    ['Gamma-GT', 'U/l', '2324-2'],
    ['Bilirrubina directa', 'mg/dL', '1968-7'],
    ['Eisen', 'µg/dl', '2498-4'],
    ['Saturación de transferrina', '%', '2502-3'],
    ['Kalium', 'mmol/l', '2823-3'],
    ['T4 libre', 'ng/dL', '3024-7'],
    ['Freies T3 (fT3)', 'pg/ml', '3051-0'],
    ['Anticuerpos anti-TPO', 'UI/mL', '8099-4'],
    ['25-OH-Vitamin D', 'nmol/l', '14635-7'],
    ['Vitamina B12', 'pg/mL', '2132-9'],
    ['Ácido fólico', 'ng/mL', '2284-8'],
    ['PSA libre', 'ng/mL', '10886-0'],
    ['Proteína C Reactiva', 'mg/L', '1988-5'],
    ['INR', null, '6301-6'],
    ['Quick-Wert', '%', '5894-1'],
  ]
  for (const [name, unit, code] of rows) assert.equal(sureCode(name, unit), code, name)
})

test('The unit decides between a count and a share, and between mass and substance', () => {
  assert.equal(sureCode('Neutrophils', '%'), '770-8')
  assert.equal(sureCode('Neutrophils', 'K/uL'), '751-8')
  assert.equal(sureCode('Neutrophils %'), '770-8')
  assert.equal(sureCode('Neutrophils (Absolute)'), '751-8')
  assert.equal(sureCode('Glucose', 'mg/dL'), '2345-7')
  assert.equal(sureCode('Glucose', 'mmol/L'), '14749-6')
  assert.equal(sureCode('HbA1c', '%'), '4548-4')
  assert.equal(sureCode('HbA1c', 'mmol/mol'), '59261-8')
  assert.equal(sureCode('PCT', 'ng/mL'), '33959-8')
  assert.equal(sureCode('PCT', '%'), '51637-7')
})

test('Specimen, heading and name decide what was examined', () => {
  assert.equal(sureCode('Creatinine, Urine', 'mg/dL'), '2161-8')
  assert.equal(sureCode('Creatinine', 'mg/dL', { sampleType: 'urine' }), '2161-8')
  assert.equal(sureCode('Glucose', null, { panel: 'URINALYSIS', value: 'Negative' }), '25428-4')
  assert.equal(sureCode('Leukocytes', null, { sampleType: 'urine', value: 'Negative' }), '5799-2')
  assert.equal(sureCode('WBC', '/HPF', { sampleType: 'urine', value: '0-2' }), '5821-4')
  assert.equal(sureCode('Protein', 'mg/dL', { panel: 'CSF' }), '2880-3')
  assert.equal(sureCode('Nitritos', null, { value: 'Negativo' }), '5802-4')
})

test('What stays open goes to review', () => {
  assert.equal(match('Creatinine').status, 'needs_review')
  assert.equal(match('Neutrophils').status, 'needs_review')
  assert.equal(match('Creatinine', 'fL').status, 'needs_review')
  assert.equal(match('D-Dimer', 'ng/mL').status, 'needs_review')
  assert.equal(sureCode('D-Dimer', 'ng/mL FEU'), '48065-7')
  assert.equal(match('RBC', null, { value: 'Negative' }).status, 'needs_review')
  assert.equal(match('Protein', 'g/dL', { sampleType: 'other' }).status, 'needs_review')
  assert.equal(match('Rubeola IgG', 'UI/mL').status, 'needs_review')
})

test('What is no analyte has no candidates', () => {
  for (const name of ['Collected on', 'Dr. A. Smith', 'Page 2', '', '12.5', 'Signature']) {
    assert.deepEqual(match(name), { matches: [], status: 'no_match' }, name)
  }
})

test('A letter that was taken for another does not hide a long name', () => {
  assert.equal(sureCode('Hemog1obin', 'g/dL'), '718-7')
  assert.equal(sureCode('Trig1ycerldes', 'mg/dL'), '2571-8')
  assert.equal(sureCode('Creatinlne', 'mg/dL'), '2160-0')
  assert.notEqual(sureCode('Cortison', 'ug/dL'), '2143-6')
})

test('At most five candidates, the best first, with the names people use', () => {
  const { matches } = match('Glucose', 'mg/dL')
  assert.ok(matches.length <= 5)
  assert.deepEqual(
    matches.map(({ score }) => score),
    matches.map(({ score }) => score).toSorted((a, b) => b - a),
  )
  assert.equal(matches[0]?.name, 'Glucose [Mass/volume] in Serum or Plasma')
  assert.equal(matches[0]?.displayName, 'Glucose')
  assert.ok(matches[0]?.aliases.length)
})

test('A thousand rows take less than a second', () => {
  match('Glucose')
  const start = performance.now()
  for (let run = 0; run < 1000; run++) match(`Cholesterln total ${run % 7}`, 'mg/dL')
  assert.ok(performance.now() - start < 1000)
})
