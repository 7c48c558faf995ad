import type { SampleType } from '../report.ts'
import { splitWords } from './analyte-words.ts'
import type { Family } from './loinc-table.ts'

const familyWords: Record<string, string> = {
  blood:
    'serum sr plasma blood suero serico serica serum soro siero sangre sang sanguine blut blood sangue bloed venous vein whole capillary edta heparin citrate wb plasmatico plasmatica',
  urine:
    'urine urinary urin urina urines orina urinaire urinario urinaria urinarie ur harn uroanalisis urinalysis dipstick urinalisi urinestatus urinsediment orinas urinetest',
  stool:
    'stool stools fecal faecal feces faeces heces fecale fezes feci selles stuhl fecali ontlasting coprologico',
  saliva: 'saliva salivary salive salivaire speichel speeksel salivar',
  csf: 'csf lcr liquor cerebrospinal cerebral spinal cefalorraquideo cephalorachidien lcefalorraquideo',
  semen: 'semen seminal esperma sperma sperme spermatozoa spermiogram espermograma',
  fluid: 'pleural ascitic ascites peritoneal synovial pericardial amniotic dialysate fluid',
}

const families = new Map<string, Family>(
  Object.entries(familyWords).flatMap(([family, words]) =>
    words.split(' ').map((word): [string, Family] => [word, family as Family]),
  ),
)

/** Returns the kind of specimen of a word. */
export function familyOfWord(word: string): Family | undefined {
  return families.get(word)
}

/**
 * Returns the kind of specimen of the words of a name or a heading; undefined if they name none, or
 * several.
 */
export function findFamily(words: readonly string[]): Family | undefined {
  const named = new Set(
    words.map((word) => families.get(word)).filter((family) => family !== undefined),
  )
  // "Urine random" and "Blood in urine" are of urine.
  if (named.size > 1) named.delete('blood')
  // Cerebrospinal fluid has several names.
  if (named.has('csf')) named.delete('fluid')
  return named.size === 1 ? [...named][0] : undefined
}

const panelWords: [RegExp, Family][] = [
  [
    /urin|orina|uroanal|\bur\b|harnstatus|harnsediment|sediment(?!ation)|\b(?:ua|ego|cue|ecbu)\b/,
    'urine',
  ],
  [/stool|fecal|faec|feces|heces|fezes|\bfeci\b|selles|stuhl|coprol/, 'stool'],
  [/saliva|speichel/, 'saliva'],
  [/csf|\blcr\b|cerebrospinal|spinal fluid|cefalorraq|cephalo|liquor/, 'csf'],
  [/semen|semino|sperm/, 'semen'],
  [/pleural|ascit|peritoneal|synovial|joint fluid|body fluid|amnio/, 'fluid'],
  [/serum|plasma|suero|\bblood\b|\bsang|\bblut/, 'blood'],
]

/** Returns the kind of specimen of a heading. */
export function familyOfPanel(panel: string): Family | undefined {
  const text = splitWords(panel).join(' ')
  return panelWords.find(([pattern]) => pattern.test(text))?.[1]
}

/**
 * Returns whether a text names a specimen that is neither blood nor urine, and whose codes are not
 * certain by a heading.
 */
export function namesOtherSpecimen(text: string): boolean {
  return /stone|calcul(?!ated)|cultur|gram stain|smear|swab|sputum|vagin|genital|cytolog|biops|sweat|\bcord\b|bone marrow|breast milk|gastric fluid|meconium|vitreous/i.test(
    text,
  )
}

/** Returns the body fluid that words name, as in LOINC. */
export function findFluid(text: string): string | undefined {
  const fluids: [RegExp, string][] = [
    [/pleura/i, 'Pleural fluid'],
    [/ascit|periton/i, 'Peritoneal fluid'],
    [/synovi|joint fluid/i, 'Synovial fluid'],
    [/amnio/i, 'Amniotic fluid'],
    [/body fluid/i, 'Body fluid'],
  ]
  return fluids.find(([pattern]) => pattern.test(text))?.[1]
}

/** Returns the kind of specimen of a reading; undefined where it is unknown. */
export function familyOfSampleType(sampleType: SampleType): Family | undefined {
  if (sampleType === 'serum_plasma_blood' || sampleType === 'capillary_blood') return 'blood'
  return sampleType === 'unknown' || sampleType === 'other' ? undefined : sampleType
}

/** Returns whether words say that urine was collected for a day. */
export function isDayUrine(text: string): boolean {
  return /\b24\s*-?\s*(?:h|hr|hrs|hour|hours|horas|heures|std|stunden|ore|uur|uren)\b/i.test(text)
}
