/**
 * Beginnings of codes that may not be the first diagnosis, by the ICD-10-CM Official Guidelines for
 * Coding and Reporting: external causes (I.C.20), agents of diseases that have their own codes
 * (I.B), body mass index (I.C.21.c.3), weeks of gestation and outcome of delivery (I.C.15), social
 * determinants (I.C.21.c.17), resistance to drugs (I.C.1), estrogen receptor status, sepsis
 * severity (I.C.1.d).
 */
export const SECONDARY_CODES: readonly string[] = [
  'V',
  'W',
  'X',
  'Y',
  'B95',
  'B96',
  'B97',
  'R652',
  'Z16',
  'Z17',
  'Z37',
  'Z3A',
  'Z55',
  'Z56',
  'Z57',
  'Z58',
  'Z59',
  'Z60',
  'Z61',
  'Z62',
  'Z63',
  'Z64',
  'Z65',
  'Z68',
]

/** Titles of manifestations, which follow their underlying disease (guideline I.A.13). */
export const MANIFESTATION_TITLE = /\bclassified elsewhere\b/i
