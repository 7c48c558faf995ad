import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scoreAnalyteName } from './analyte-names.ts'
import { getAnalyteIndex } from './analytes.ts'

test('Names of analytes score high', () => {
  for (const name of [
    'Hemoglobin',
    'GPT (ALT)',
    'Chol/HDLC ratio',
    'Ácido úrico',
    'Sodium (Na⁺)',
    'LDL Chol Calc (NIH)',
    'Neutrophils %',
    'S. Creatinine',
  ]) {
    assert.ok(scoreAnalyteName(name) >= 0.9, name)
  }
})

test('Other text scores low', () => {
  for (const text of [
    'Patient Name',
    'Page 1 of 3',
    'Date of birth',
    'Ordering physician: Dr. Smith',
    'Reference range',
    '12.5',
    '',
    'Anytown, TX 75001',
  ]) {
    assert.ok(scoreAnalyteName(text) < 0.4, text)
  }
})

test('Every curated analyte has a code, and every code that is named is in the table', () => {
  for (const { name, rows, isCurated } of getAnalyteIndex().analytes) {
    if (isCurated) assert.ok(rows.length > 0, name)
  }
})
