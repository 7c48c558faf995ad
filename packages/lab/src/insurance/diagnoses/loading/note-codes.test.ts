import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNoteCodes } from './note-codes.ts'

const written = (note: string): string | undefined =>
  readNoteCodes(note)
    ?.map(
      ({ first, last, detail }) =>
        `${first}${last === first ? '' : `-${last}`}${detail && ` ${detail}`}`,
    )
    .join(', ')

test('codes of a note are read in all their forms', () => {
  const cases: Record<string, string | undefined> = {
    'one kind (E10.-)': 'E10',
    'one kind (E10)': 'E10',
    'a code (R73.03)': 'R7303',
    'a subcategory (T81.4-)': 'T814',
    'a range (I60-I69)': 'I60-I69',
    'a range of subcategories (C7A.00-C7A.8)': 'C7A00-C7A8',
    'dashes at both ends (S32.1--S32.9-)': 'S321-S329',
    'dots at both ends (F10.-F19.-)': 'F10-F19',
    'several (E08-E13, O24.-, P70.0-P70.2)': 'E08-E13, O24, P700-P702',
    'two [X] (abc) parentheses (A00) of codes (B00.1)': 'A00, B001',
    'a list that ends in a comma (K50.014, K50.114,)': 'K50014, K50114',
    'letters in a code (D75.A)': 'D75A',
    'of a branch (E08-E13 with .41)': 'E08-E13 41',
    'of branches (F11-F19 with .15, .25)': 'F11-F19 15, F11-F19 25',
    'without parentheses E72.4': 'E724',
    'a parenthesis that stays open (C44.301, C44.311': 'C44301, C44311',
    'no code at all - see body system': '',
    'a word (NOS)': '',
    'a condition (S02.- with 7th character B)': undefined,
    'a condition (T36-T65 with fifth or sixth character 1-4 or 6)': undefined,
    'see categories E08-E10 with ketoacidosis': undefined,
  }
  for (const [note, codes] of Object.entries(cases)) assert.equal(written(note), codes, note)
})
