import type { Line } from '../layout/lines.ts'
import { familyOfPanel, isDayUrine } from '../loinc/specimen-words.ts'
import type { Word } from '../pages/page.ts'
import { plainText } from './content.ts'

// Lines and names that are no results, by their words.

const category =
  /^(?:non )?(?:desirable|optimal|near optimal|above optimal|borderline|border line|high|low|very high|very low|normal|abnormal|increased|decreased|pre ?diabet\w*|diabet\w*|non ?diabet\w*|deficien\w*|insufficien\w*|sufficien\w*|toxic\w*|potential toxicity|moderate|mild|severe|average|low risk|high risk|moderate risk|average risk|therapeutic|target|goal|glycemic|good control|fair control|poor control|male|males|female|females|men|women|man|woman|adult|adults|child|children|newborn|infant|pediatric|pregnan\w*|non ?pregnant|(?:1st|2nd|3rd|first|second|third) trimester|trimester|follicular|ovulat\w*|mid ?cycle|luteal|post ?menopaus\w*|pre ?menopaus\w*|valor(?:es)? deseables?.*|valor(?:es)? recomend.*|recomendable|hombres?|mujeres?|ninos?|adultos?|varones|hombre|mujer|deseable|limite|riesgo\w*|optimo|alto|bajo|normale?s?|hommes?|femmes?|enfants?|adultes?|souhaitable|manner|frauen|kinder|erwachsene|uomini|donne|maschi|femmine|bambini|desejavel|homens?|mulheres?|criancas?|limitrofe|mannen|vrouwen|smokers?|non ?smokers?|fasting|stage \w+|grade \w+|kidney failure|category|risk|reference range|normal range|up to|years?|yrs?|anos|ans|jahre|anni|age|cut ?off|negative|positive|equivocal|indeterminate|reactive|non ?reactive)\b[^a-z]*(?:\w+ ?){0,3}$/

const administrative =
  /^(?!sex hormone)(?:patient|name|nombre|nom|nome|naam|paciente|paziente|age|edad|alter|sex|sexo|sexe|sesso|geschlecht|gender|dob|date|fecha|datum|data|born|birth|geb|phone|tel|telefono|fax|mobile|address|direccion|adresse|city|zip|doctor|dr|physician|provider|ref|referred|refer|medico|medecin|arzt|account|acct|a\/c|client|specimen|accession|sample|collected|received|reported|printed|registered|registration|report|page|pagina|seite|id|mrn|nhs|hospital|ward|room|order|ordering|requisition|npi|clia|cap|lab id|lab no|lab|barcode|bill|invoice|time|status|run|visit|episode|uhid|sin|location|passport|insurance|policy|email|e mail|web|www|http|checked|verified|approved|signed|authori[sz]ed|validated|pathologist|director|technician|consultant|peticion|solicitud|historia|auftrag|eingang|ausgang|befund|prelevement|prescri|dossier|edite|codice|richiesta|accettazione|convenio|requisicao|coleta|protocolo|cpf|rg|crm|bsn|height|weight|bmi|body mass|blood pressure|bp|accredit\w*|licen[cs]e|permit|suite|stability|pulse|heart rate|temperature|temp|respiratory rate|spo2|oxygen saturation|quantity|qty|price|amount|total amount|subtotal|tax|discount|due|paid|balance|copay|dose|dosage|tablet|capsule|refills?|invoice|total charge)\b/

const method =
  /^(?:method|methodology|metodo|methode|technique|tecnica|technik|metodica|principle|verfahren|by |specimen|sample type|sample|muestra|material|serum|plasma|edta|whole blood|calculated|photomet\w*|spectrophot\w*|colorim\w*|electrical imped\w*|impedance|flow cytom\w*|clia|cmia|eclia|elisa|hplc|immunoturb\w*|turbidim\w*|nephelom\w*|ise|hexokinase|\w{2,4}[ .-]?(?:pod|pap)|chod|enzymatic|kinetic|uv|ifcc|jaffe|biuret|bcg|diazo|urease|uricase|microscop\w*|derived|westergren|chemilumin\w*|potentiom\w*|citometr\w*|espectrofot\w*|quimiolum\w*|colorimetr\w*|enzimat\w*|cinetic\w*|note|notes|comment|comments|interpretation|interpretacion|remarks?|nota|commentaire|kommentar|hinweis)\b/

const panelWords =
  /panel|profile|profil|perfil|count|chemistry|h[ae]+matolog|ematolog|hamatolog|hematolog|urinalysis|urine|urina|orina|harn|function|funcion|test|tests|studies|biochem|bioquim|biochim|klinische chemie|immunolog|inmunolog|immunolog|serolog|hormon|coagul|gerinnung|hemosta|emosta|lipid|liver|renal|kidney|thyroid|tiroid|schilddr|cardiac|marker|marcador|vitamin|electrolyte|elektrolyt|elettrolit|ionogram|differential|formula|cbc|microbiol|culture|sediment|blutbild|hemograma|emocromo|hemogramme|numeration|enzym|proteins|metabol|iron|anemia|examen|microscop|physical|macroscop|chemical|gas/

export function isCategory(name: string): boolean {
  return category.test(plainText(name).replace(/[/.]/g, ' ').trim())
}

export function isAdministrative(name: string): boolean {
  const plain = plainText(name)
  return (
    administrative.test(plain) ||
    /\b(?:tel|fax|phone|telefon|telefono|director|dr|md|phd|mbbs|direttore|directeur)\b/.test(plain)
  )
}

const specimens =
  /^(?:blood|venous blood|whole blood|edta blood|serum|plasma|urine|random urine|sangre|sang|sang veineux|blut|sangue|bloed|suero|soro|siero|harn|orina|urina)$/

/** What is examined, rather than what is looked for in it. */
export function isSpecimen(name: string): boolean {
  return specimens.test(plainText(name))
}

/** Returns whether a text is an address or the like. */
export function isContact(text: string): boolean {
  return /\b(?:tel|fax|phone|telefon|telefono|telefone|e-?mail|www)\b[.:]?/i.test(text)
}

/** What is measured of a body, not of a specimen. */
export function isVitalSign(name: string): boolean {
  return /^(?:weight|body weight|height|bmi|body mass|blood pressure|bp|pulse|heart rate|temperature|temp|respiratory rate|respirations?|spo2|oxygen saturation|peso|talla|altura|estatura|presion arterial|poids|taille|gewicht|grosse|blutdruck|puls|peso corporeo|altezza)\b/.test(
    plainText(name),
  )
}

export function namesMethod(text: string): boolean {
  return method.test(plainText(text))
}

/** Names of methods and notes that stand under a test in the column of names. */
export function isMethodOrNote(text: string): boolean {
  const plain = plainText(text)
  return (method.test(plain) && !isSpecimenHeading(plain)) || /^[[(].*[)\]]$/.test(text.trim())
}

/** `Serum chemistry`, and not the specimen of the test above. */
function isSpecimenHeading(plain: string): boolean {
  return /^(?:serum|plasma|whole blood|blood) (?:chemistry|panel|profile|studies|electrolytes?|proteins?|hormones?|serology|immunology|enzymes|lipids?)$/.test(
    plain,
  )
}

/** What a line says of the specimen of all that is under it, with the hours of its collection. */
export function isDayUrineHeading(text: string): boolean {
  const plain = plainText(text)
  return plain.split(' ').length <= 6 && isDayUrine(plain) && familyOfPanel(plain) === 'urine'
}

export function namesPanel(text: string): boolean {
  return panelWords.test(plainText(text))
}

const functionWords =
  /^(?:you|your|our|we|who|when|within|over|under|only|than|do|does|its|their|all|any|been|please|consult|the|is|are|was|were|be|been|of|for|with|and|or|to|by|that|this|these|in|on|at|from|should|may|can|has|have|an|as|if|will|which|el|la|los|las|de|del|que|con|para|por|en|una|un|se|es|der|die|das|und|ist|sind|bei|von|mit|fur|wird|werden|ein|eine|le|les|des|et|est|sont|pour|dans|avec|une|du|il|lo|gli|di|che|per|sono|nel|della|o|os|as|do|da|dos|das|em|com|het|een|van|zijn|voor|met|bij|wordt)$/

/**
 * How many words of a text only sentences have: `of`, `with`, `is`; not those of names, such as
 * `O`.
 */
export function countFunctionWords(text: string): number {
  return text
    .split(/\s+/)
    .filter((word) => /^\p{Ll}/u.test(word) && functionWords.test(plainText(word))).length
}

/** Returns whether a text is a sentence rather than cells of a table. */
export function isProse(text: string): boolean {
  const words = text.trim().split(/\s+/)
  if (words.length < 6) return false
  const common = words.filter((word) => functionWords.test(plainText(word))).length
  const numbers = words.filter((word) => /\d/.test(word)).length
  return common >= 2 && common / words.length > 0.2 && numbers / words.length < 0.3
}

/**
 * Words that follow each other without the gaps of a table, after a number or bullet of a list or
 * none.
 */
export function isRunningText(line: Line): boolean {
  const isListed = /^(?:\d{1,2}[.)]|[·•*-])$/.test(line.words[0]?.text ?? '')
  const words = line.words.slice(isListed ? 1 : 0)
  return words.length >= 6 && words.every((word, at) => at === 0 || isNear(words[at - 1], word))
}

function isNear(left: Word | undefined, right: Word): boolean {
  return !left || right.box.x - left.box.x - left.box.width < right.box.height * 1.2
}

/**
 * What signs, letters and units stand for: `H = High; L = Low`, `ng/mL = nanograms per milliliter`.
 */
export function isKey(text: string): boolean {
  return /^(?:key|legend)\b|^\W*(?:[HLANC]{1,2}|[*!↑↓▲▼]+|[\p{L}µ%]{1,6}\/[\p{L}\d.]{1,6})(?:\s*[=:]\s*|\s+[–-]\s+)\p{L}{3,}/iu.test(
    text,
  )
}

/**
 * Words that go on after all that a result has: `Repeat potassium was 6.9 mmol/L per verbal order.`
 */
export function isSentence(line: Line, others: readonly { words: readonly Word[] }[]): boolean {
  if (!isRunningText(line)) return false
  const words = others
    .flatMap((cell) => cell.words)
    .filter(({ text }) => /^\p{L}{2,}[.,;]?$/u.test(text))
  return words.length >= 2
}

/** Returns whether a text is the title of notes, comments and interpretations. */
export function startsNotes(text: string): boolean {
  return /^(?:please note|interpretation|interpretive|interpretacion|notes?|comments?|clinical (?:significance|utility|use|information)|remarks?|disclaimer|test information|observaciones|comentarios?|commentaires?|kommentar|hinweise?|anmerkung|note|osservazioni|observacoes|opmerking(?:en)?|useful for|limitations?|increased in|decreased in|references?)$/.test(
    plainText(text.replace(/[:\-–\d]+/g, ' ')),
  )
}

/** Lines that stand at the same place of several pages: their heads and feet. */
export function findRepeatedLines(lines: readonly Line[]): Set<Line> {
  const texts = new Map<string, Line[]>()
  for (const line of lines) {
    const text = line.words.map((word) => word.text).join(' ')
    const key = text.replace(
      /(\p{L}\.?\s*)\d+(?:\s*(?:of|de|von|di|van|sur|\/)\s*\d+)?\s*$/u,
      '$1#',
    )
    const same = texts.get(key)
    if (same) same.push(line)
    else texts.set(key, [line])
  }
  const repeated = new Set<Line>()
  for (const same of texts.values())
    for (const line of same)
      if (same.some((other) => isAtSamePosition(line, other))) repeated.add(line)
  return repeated
}

function isAtSamePosition(line: Line, other: Line): boolean {
  if (other.page === line.page) return false
  return (
    Math.abs(other.box.y - line.box.y) < line.height * 1.5 &&
    Math.abs(other.box.x - line.box.x) < line.height * 2
  )
}
