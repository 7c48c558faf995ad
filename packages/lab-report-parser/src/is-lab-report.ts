import { type LanguageWords, SUPPORTED_LANGUAGES, toPlainWords, WORDS } from './language/words.ts'
import { scoreAnalyteName } from './loinc/analyte-names.ts'
import type { PageText } from './pages/page.ts'
import type { ReportRow } from './report.ts'
import { looksLikeRange } from './values/reference-range.ts'
import { toUcum } from './values/unit.ts'
import { looksLikeValue, readValue } from './values/value.ts'

/** Words of documents that may contain laboratory values, but are no laboratory reports. */
const OTHER_DOCUMENTS: Readonly<Record<string, RegExp>> = {
  letter:
    /\b(?:discharge summary|discharge (?:medications|diagnosis|instructions)|admission date|discharge date|admitted|hospital course|chief complaint|history of present illness|past medical history|physical exam(?:ination)?|assessment and plan|follow[- ]up|entlassungs\w*|entlassbrief|arztbrief|anamnese|therapie|informe de alta|alta hospitalaria|motivo de consulta|antecedentes personales|exploracion fisica|tratamiento|compte[- ]rendu d'hospitalisation|lettre de sortie|lettera di dimissione|dimissione|sumario de alta|ontslagbrief|dear (?:dr|doctor|colleague|mr|mrs|ms)|sehr geehrte\w*|vital signs)\b/g,
  imaging:
    /\b(?:ultrasound|ultrasonograph\w*|sonograph\w*|radiolog\w*|x-?ray|ct scan|mri|mammogra\w*|echocardiogra\w*|doppler|gestational age|fetal|foetal|biparietal|amniotic|impression|findings|technique|contrast|electrocardiogra\w*|ecg|ekg|qrs|qtc|sinus rhythm|ecografia|radiografia|echographie|scanner|irm|rontgen|sonografie|endoscop\w*|colonoscop\w*)\b/g,
  bill: /\b(?:invoice|amount due|balance due|total due|subtotal|payment|paid|qty|quantity|unit price|price|tax|bill(?:ing)?|receipt|statement of account|account balance|opening balance|closing balance|deposit|withdrawal|transaction|debit|credit|iban|rechnung|rechnungsnummer|mwst|betrag|zahlbar|factura|importe|iva|precio|facture|montant|tva|prix|fattura|prezzo|importo|fatura|preco|factuur|bedrag|btw|copay|deductible|price list|fee schedule|tarif\w*|mrp)\b/g,
  prescription:
    /\b(?:prescription|refills?|dispense|tablets?|capsules?|take one|once daily|twice daily|times (?:a|per) day|po bid|po qd|rx|dosage|pharmacy|rezept|apotheke|receta|comprimidos?|ordonnance|comprimes?|ricetta|compresse|receita|recept|tabletten|medications?)\b/g,
  vaccination:
    /\b(?:vaccin\w*|immuni[sz]ation|dose \d|lot (?:no|number|#)|batch no|impf\w*|vacuna\w*|booster|administered)\b/g,
  requisition:
    /\b(?:requisition|order form|test request|tests? ordered|bill to|icd-?10|request form|check (?:all )?that apply|anforderungsschein|peticion de analitica|bon de commande|ordering instructions|specimen requirements)\b/g,
  other:
    /\b(?:curriculum vitae|resume|work experience|employment history|education|skills|references available|member id|group number|rxbin|insurance card|policy ?holder|nutrition facts|serving size|calories|ingredients|table of contents|abstract|introduction|conclusions?|et al|doi)\b/g,
}

/** Words that only occur in the title of an order for tests; they weigh as two words. */
const ORDER_TITLE =
  /\b(?:(?:laboratory|lab) (?:test )?(?:requisition|request|order) form|solicitud de (?:analisis|laboratorio|estudios|examenes)|demande d'(?:analyses?|examens?)|laboranforderung|untersuchungsauftrag|richiesta (?:di )?(?:esami|analisi)|(?:pedido|solicitacao|requisicao) de exames|laboratoriumaanvraag|aanvraagformulier)\b/

/** Amounts of money. */
const AMOUNT =
  /(?:[€$£₹¥]|\b(?:eur|usd|inr|rs\.?|chf|gbp|brl|mxn)|r\$)\s?\d|\d\s?(?:[€$£₹¥]|(?:eur|usd|inr|chf|gbp|brl|mxn)\b)/g

/** Words of a laboratory report by topic, in all languages. */
const LAB_WORDS: readonly ReadonlySet<string>[] = [
  listWords(({ columns }) =>
    columns.result.filter(
      (word) => word.length > 4 && !/^(?:findings?|found|reading|level|current)$/.test(word),
    ),
  ),
  listWords(({ columns }) => columns.reference.filter((word) => word.length > 7)),
  listWords(({ header }) =>
    [...(header.collected ?? []), ...(header.specimenNumber ?? [])].filter(
      (word) => word.length > 6,
    ),
  ),
  new Set(
    'laboratory laboratories labs laboratorio laboratoire laboratorium labor analitica pathology diagnostics laboratorios laborbefund lab analisi analises analyses serum plasma hematology haematology biochemistry'.split(
      ' ',
    ),
  ),
]

function listWords(select: (words: LanguageWords) => readonly string[]): Set<string> {
  return new Set(SUPPORTED_LANGUAGES.flatMap((language) => select(WORDS[language])))
}

/**
 * Returns whether pages are a laboratory report with results: rows with names of analytes and
 * values in the notation of laboratories. A letter or a bill with a few values is none; a report
 * with a single result is one.
 */
export function isLabReport(pages: readonly PageText[], rows: readonly ReportRow[]): boolean {
  if (rows.length === 0) return false
  const text = toPlainWords(pages.flatMap((page) => page.words.map((word) => word.text)).join(' '))
  const grades = rows.map(gradeRow)
  const count = (atLeast: number) => grades.filter((grade) => grade >= atLeast).length
  const [solid, fair] = [count(3), count(2)]
  const signs = countLabSigns(text)
  const others = countOtherSigns(text)
  // Documents of other kinds need a whole table of results, not some values among other things.
  if (others >= 3) return solid >= 4 && signs >= 3 && coverageOf(pages, rows) > 0.25
  if (solid >= 3) return others < 2 || signs >= 2
  if (solid >= 1) return others < 2 ? signs >= 1 : signs >= 3
  return fair >= 3 && signs >= 2 && others < 2
}

/** Counts distinct words of the most likely other kind of document. */
function countOtherSigns(text: string): number {
  const amounts = text.match(AMOUNT)?.length ?? 0
  const kinds = Object.entries(OTHER_DOCUMENTS).map(
    ([kind, words]) =>
      new Set(text.match(words)).size +
      (kind === 'bill' ? Math.min(amounts, 3) : 0) +
      (kind === 'requisition' && ORDER_TITLE.test(text) ? 2 : 0),
  )
  return Math.max(...kinds)
}

/** Counts which of result, reference, specimen and laboratory occur in the text. */
function countLabSigns(text: string): number {
  const padded = ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ')} `
  const has = (word: string) => padded.includes(` ${word.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `)
  return LAB_WORDS.filter((words) => [...words].some(has)).length
}

/**
 * Grades a row. 3: an analyte with a value and its unit or interval; 2: two of these; less:
 * anything else.
 */
function gradeRow(row: ReportRow): number {
  const value = readValue(row.value.text)
  // Only laboratories make tables such as antibiograms.
  if (row.region && row.region !== 'transposed_table') return 3
  if (value === null || !looksLikeValue(row.value.text)) return 0
  const ucum = row.unit ? toUcum(row.unit.text) : null
  // A dose is a mass; laboratories measure concentrations, shares and counts.
  const isLabUnit =
    ucum !== null && !/^(?:[mun]?g|kg|mL|d|min|h|a|U|\[IU\]|mm|cm|\{copies\})$/.test(ucum)
  const hasRange = row.range !== null && looksLikeRange(row.range.text)
  const named = scoreAnalyteName(row.name.text)
  const isNamed = named >= 0.85
  // Words such as `seen` follow any name: only a known analyte has them as its result.
  if (value.type === 'comment' || value.type === 'boolean') return named >= 0.95 ? 3 : 1
  if (isNamed && (isLabUnit || hasRange)) return 3
  return (isLabUnit && hasRange) || (isNamed && value.number !== null) ? 2 : 1
}

/** Returns the share of the words of all pages that belongs to rows. */
function coverageOf(pages: readonly PageText[], rows: readonly ReportRow[]): number {
  const all = pages.reduce((sum, page) => sum + page.words.length, 0)
  const inRows = rows
    .flatMap(({ name, value, unit, range, flag }) => [name, value, unit, range, flag])
    .reduce((sum, field) => sum + (field?.text.split(' ').length ?? 0), 0)
  return all === 0 ? 0 : inRows / all
}
