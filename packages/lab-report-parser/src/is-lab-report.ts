import { SUPPORTED_LANGUAGES, toPlainWords, WORDS } from './language/words.ts'
import { scoreAnalyteName } from './loinc/analyte-names.ts'
import type { PageText } from './pages/page.ts'
import type { ReportRow } from './report.ts'
import { looksLikeRange } from './values/reference-range.ts'
import { toUcum } from './values/unit.ts'
import { looksLikeValue, readValue } from './values/value.ts'

/** Words of documents that may hold values of laboratories, and are no laboratory reports. */
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

const LAB_WORDS: ReadonlySet<string> = new Set([
  ...SUPPORTED_LANGUAGES.flatMap((language) => [
    ...WORDS[language].columns.reference.filter((words) => words.length > 6),
    ...WORDS[language].sections.filter((words) => words.length > 5),
  ]),
  'laboratory',
  'laboratories',
  'specimen',
  'lab results',
  'lab report',
  'laboratory report',
  'test results',
  'laboratorio',
  'laboratoire',
  'laborbefund',
  'laborbericht',
  'analitica',
  'analisis clinicos',
  'analyses medicales',
  'analisi cliniche',
  'analises clinicas',
  'pathology',
  'diagnostics',
  'sample',
  'serum',
  'plasma',
  'result',
  'results',
  'collected',
  'resultado',
  'resultados',
  'resultat',
  'resultats',
  'risultato',
  'ergebnis',
  'uitslag',
  'muestra',
  'blood test',
])

/**
 * Whether pages are a laboratory report with results: rows that name analytes and give values as laboratories do. A
 * letter or a bill that mentions a few is none; a report with a single result is one.
 */
export function isLabReport(pages: readonly PageText[], rows: readonly ReportRow[]): boolean {
  if (rows.length === 0) return false
  const text = toPlainWords(pages.flatMap((page) => page.words.map((word) => word.text)).join(' '))
  const graded = rows.map(gradeRow)
  const count = (atLeast: number) => graded.filter((grade) => grade >= atLeast).length
  const [solid, fair] = [count(3), count(2)]
  const labWords = countLabWords(text)
  const isDense = coverageOf(pages, rows) > 0.3
  const others = Math.max(
    ...Object.values(OTHER_DOCUMENTS).map((words) => new Set(text.match(words)).size),
  )
  // Documents of other kinds need a table of results, not some values among other things.
  if (others >= 3) return solid >= 4 && isDense && labWords >= others
  if (others === 2) return solid >= 3 || (solid >= 1 && labWords >= 3)
  if (solid >= 1) return solid >= 3 || labWords >= 1 || isDense
  return fair >= 3 && labWords >= 2
}

/** 3: an analyte with a value and its unit or interval; 2: two of these; less: anything. */
function gradeRow(row: ReportRow): number {
  const value = readValue(row.value.text)
  if (value === null || !looksLikeValue(row.value.text)) return 0
  const ucum = row.unit ? toUcum(row.unit.text) : null
  // A dose has a mass alone; laboratories measure concentrations, shares and counts.
  const isLabUnit =
    ucum !== null && !/^(?:[mun]?g|kg|mL|d|min|h|a|U|\[IU\]|mm|cm|\{copies\})$/.test(ucum)
  const hasRange = row.range !== null && looksLikeRange(row.range.text)
  const isNamed = scoreAnalyteName(row.name.text) >= 0.85
  const isWord = value.type === 'comment' || value.type === 'boolean'
  if (isNamed && (isLabUnit || hasRange || isWord)) return 3
  return (isLabUnit && hasRange) || (isNamed && value.number !== null) ? 2 : 1
}

function countLabWords(text: string): number {
  const padded = ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ')} `
  return [...LAB_WORDS].filter((word) => padded.includes(` ${word} `)).length
}

/** The share of the words of all pages that belongs to rows. */
function coverageOf(pages: readonly PageText[], rows: readonly ReportRow[]): number {
  const all = pages.reduce((sum, page) => sum + page.words.length, 0)
  const inRows = rows
    .flatMap(({ name, value, unit, range, flag }) => [name, value, unit, range, flag])
    .reduce((sum, field) => sum + (field?.text.split(' ').length ?? 0), 0)
  return all === 0 ? 0 : inRows / all
}
