// What a piece of text could be, by its looks alone. To be replaced by values/, language/ and loinc/ where they come.

const number = String.raw`[+-]?\d{1,3}(?:[ ,.']\d{3})+(?:[.,]\d+)?|\d{1,2}(?:,\d{2})+,\d{3}|[+-]?\d+(?:[.,]\d+)?|[.,]\d+`
const comparator = String.raw`(?:<=?|>=?|≤|≥|=<|=>|<\s*OR\s*=|>\s*OR\s*=)`
const numeric = new RegExp(
  `^${comparator}?\\s*(?:${number})(?:\\s?[x×*]\\s?10\\^?-?\\d+|e-?\\d+)?$`,
  'i',
)
const rangeValue = /^\d+(?:[.,]\d+)?\s?[-–—]\s?\d+(?:[.,]\d+)?$/
const titre = /^[<>≤≥]?\s?1\s?[:/]\s?\d{1,5}$/
const plus = /^(?:[1-5]\s?\+|\+{1,4}|\({1}\+\){1}|\(-\))$/
const dash = String.raw`(?:-|–|—|−|to|bis|à|a|al|tot|até)`
const interval = new RegExp(`^[[(]?\\s*(?:${number})\\s*${dash}\\s*(?:${number})\\s*[\\])]?$`, 'i')
const bound = new RegExp(
  `^[[(]?\\s*(?:${comparator}|up to|below|above|less than|more than|greater than|under|over|hasta|menor(?: que| a| de)?|mayor(?: que| a| de)?|inferior a|superior a|inf[eé]rieur à|sup[eé]rieur à|bis|unter|über|fino a|inferiore a|superiore a|até|kleiner als|groter dan|tot)\\s*(?:${comparator}\\s*)?(?:${number})\\s*[\\])]?$`,
  'i',
)
const date =
  /^(?:\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/ .]?[A-Za-zé]{3,9}[-/ .,]{0,2}\d{2,4}|[A-Z][a-z]{2,8} \d{1,2},? \d{4})$/

/** Lower case without accents, with one space between words and nothing at the ends but letters and digits. */
export function plainText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}%#*/.+]+/gu, ' ')
    .replace(/^[ .]+|[ .]+$/g, '')
}

export function looksLikeDate(text: string): boolean {
  return date.test(text.trim())
}

const qualitative = new Set(
  `negative|positive|neg|pos|non reactive|nonreactive|non-reactive|reactive|not detected|detected|none detected|none seen|not seen|seen|absent|present|nil|trace|traces|small|moderate|large|few|many|rare|occasional|none|normal|abnormal|clear|slightly cloudy|cloudy|hazy|turbid|slightly turbid|yellow|pale yellow|straw|amber|dark yellow|colorless|colourless|light yellow|red|brown|pending|see note|see below|see comment|tnp|not performed|test not performed|not calculated|not applicable|n/a|no growth|equivocal|indeterminate|borderline|invalid|immune|not immune|non immune|susceptible|resistant|intermediate|adequate|not given|o positive|o negative|a positive|a negative|b positive|b negative|ab positive|ab negative|negativo|negativa|positivo|positiva|no reactivo|no reactiva|reactivo|reactiva|ausente|ausencia|presente|no detectado|no detectada|detectado|amarillo|transparente|turbio|ligeramente turbio|limpido|limpida|no se observa|no se observan|escasas|escasos|abundantes|moderados|indicios|negatif|negative|positif|positive|absence|presence|traces|clair|jaune|limpide|non detecte|non reactif|negativ|positiv|nicht nachweisbar|nachweisbar|keine|gelb|klar|trub|unauffallig|spuren|non reattivo|reattivo|assente|assenti|presenti|non rilevato|giallo|giallo paglierino|tracce|rari|rare|nao reagente|reagente|nao detectado|amarelo|amarelo claro|tracos|raras|raros|negatief|positief|niet aantoonbaar|aantoonbaar|geel|helder|spoor|normocytic|normochromic|normocytic normochromic|within normal limits|acidic|alkaline|neutral|slight|mild|marked|not seen|not found|true|false|yes|no|ausentes|normales|normale|normaal`.split(
    '|',
  ),
)

/** How much a text looks like a result, from 0 to 1. */
export function scoreValue(text: string): number {
  const clean = text.trim()
  if (looksLikeDate(clean)) return 0
  if (/^\d{1,2}:\d{2}(?::\d{2})?$/.test(clean) && !titre.test(clean)) return 0
  if (/^\d{7,}$/.test(clean)) return 0
  if (numeric.test(clean) || titre.test(clean)) return 1
  if (plus.test(clean)) return 0.9
  if (qualitative.has(plainText(clean).replace(/\(.*/, '').trim())) return 0.8
  if (rangeValue.test(clean)) return 0.4
  if (
    /^[a-z]+ ?\([\d.+-]+\)$/i.test(clean) &&
    qualitative.has(plainText(clean.replace(/\(.*/, '')))
  )
    return 0.8
  return 0
}

export function isNumericValue(text: string): boolean {
  return numeric.test(text.trim())
}

export function isQualitative(text: string): boolean {
  return qualitative.has(plainText(text))
}

const unitAtom =
  /^(?:%|‰|[pnµμumkcd]?g|[µμumncd]?L|dl|ml|ul|fl|pg|[pnµμum]?mol|[µμum]?eq|[µμumk]?I?U|[µμumk]?UI|iu|u|mui|ui|cells?|cel|copies|cop|x?10\^?\d+|x?10[eE*]\d+|mm3|cumm|mm|h|hr|hrs|hour|s|sec|secs|seconds?|seg|min|mmhg|1\.73(?:m2|m²)?|m2|m²|lakhs?|lacs?|lac|million|millions|thou|thousand|mil|hpf|lpf|campo|c|osm|mosm|mosmol|kg|k|m|pct|ratio|index|indice|s\/co|coi|au|bau|nmolbce|creat|creatinine|cr|mcg|mcl|pl|g%|mg%|tril|bil|gpl|mpl|24h|24|day|dia|d|fl\.|vol|hb|r|inr|years?|log|kpa|titre|titer|titulo|título|titulação|units?|nl|μl|milh[õo]es|mill|mio|mrd|thsd|tsd|meq|ug|mmol|mm\/1|t|g\/l|giga|tera|mil\/mm³|mm³|µl)$/i

/** How much a text looks like a unit, from 0 to 1. */
export function scoreUnit(text: string): number {
  let clean = text
    .trim()
    .replace(/^\(|\)$/g, (m, at) => (at === 0 && m === '(' ? '' : m))
    .replace(/\s*\(calc\)?\.?\)?$/i, '')
    .replace(/[)\]]+$/, '')
    .replace(/^[[(]+/, '')
  if (/^calc\.?$/i.test(clean)) return 0.6
  if (clean === '') return /calc/i.test(text) ? 0.6 : 0
  clean = clean
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (s) => `^${[...s].map((c) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(c)).join('')}`)
    .replace(/m\^2/g, 'm2')
    .replace(/m\^3/g, 'm3')
    .replace(/\s*\/\s*/g, '/')
    .replace(/10\s+(\d{1,2})\b/, '10^$1')
    .replace(/\s+/g, ' ')
  clean = clean.replace(/^% of .*/, '%')
  if (clean.length > 28 || /^[\d.,]+$/.test(clean)) return 0
  const parts = clean
    .split(/[/ ×·]|(?<=\d)\*|\bx(?= )/)
    .filter((part) => part !== '' && !/^x$/i.test(part))
  if (parts.length === 0) return 0
  const known = parts.filter((part) => unitAtom.test(part)).length
  if (known < parts.length)
    return known > 0 && clean.includes('/') ? (0.7 * known) / parts.length : 0
  if (/^\d+$/.test(clean)) return 0
  return /^[a-z]$/i.test(clean)
    ? /^[g%sLhu]$/i.test(clean)
      ? 0.3
      : 0.1
    : clean.includes('/') || clean.includes('%')
      ? 1
      : 0.8
}

/** How much a text looks like a reference interval, from 0 to 1. */
export function scoreRange(text: string): number {
  const clean = text.trim()
  if (looksLikeDate(clean)) return 0
  if (interval.test(clean)) {
    const [low, high] = (clean.match(/\d+(?:[.,]\d+)*/g) ?? []).map((n) =>
      Number(n.replace(',', '.')),
    )
    if (low !== undefined && high !== undefined && low > high && !/[ ,.']\d{3}\b/.test(clean))
      return 0
    return /\b0\d{3}\b/.test(clean) ? 0 : 1
  }
  if (bound.test(clean) || /^[<>≤≥]\s?=?\s?1\s?[:/]\s?\d+$/.test(clean)) return 0.9
  if (qualitative.has(plainText(clean))) return 0.3
  if (
    /^(?:not estab\.?|not established|no ref\.?|see note|none established|see below)/i.test(clean)
  )
    return 0.6
  return 0
}

/** How much a text looks like a flag, from 0 to 1. */
export function scoreFlag(text: string): number {
  const clean = text.trim()
  if (
    /^(?:\*{1,3}|[HLA]\*?|HH|LL|\*?[HL]|↑|↓|▲|▼|\([HL]\)|\[[HL]\]|H!|L!|!|HI|LO|ABN|CRIT)$/.test(
      clean,
    )
  )
    return 1
  if (
    /^(?:high|low|abnormal|normal|critical|alto|bajo|baixo|haut|bas|hoch|niedrig|basso|hoog|laag|elevated|above|below|out of range|in range|above range|below range|critically high|critically low|high risk|borderline high|\+|-|\+\+|--|above normal|below normal)$/i.test(
      clean,
    )
  )
    return 0.8
  return 0
}

export type ColumnRole = 'name' | 'value' | 'unit' | 'range' | 'flag' | 'previous' | 'other'

const columnWords: Record<ColumnRole, string> = {
  name: 'test|tests|test name|test description|name|analyte|component|investigation|investigations|parameter|parameters|examination|examinations|procedure|description|prueba|pruebas|determinacion|determinaciones|analisis|examen|examenes|parametro|parametros|estudio|analyse|analyses|examens|parametre|parametres|untersuchung|untersuchungen|messgrosse|analyt|esame|esami|prova|analisi|determinazione|determinazioni|exame|exames|ensaio|bepaling|bepalingen|onderzoek|tests ordered|biomarker|marker|assay|laboratory test|lab test|test parameter|s no test',
  value:
    '%|abs|absolute|absolute count|abs count|count|percent|percentage|result|results|your value|value|values|your result|observed value|observed values|current result|current result and flag|result value|test result|in range|resultado|resultados|valor|valores|valor obtenido|resultat|resultats|ergebnis|ergebnisse|wert|messwert|befund|risultato|risultati|valore|esito|uitslag|uitslagen|resultaat|resultaten|waarde|current|observation|result status|patient value|latest result|out of range',
  unit: 'unit|units|uom|unit of measure|unidad|unidades|unite|unites|einheit|einheiten|dimension|unita|u.m|um|u. m|unita di misura|unita misura|unidade|eenheid|eenheden|uds|ud|measure',
  range:
    'reference range|reference ranges|reference interval|reference intervals|ref range|ref. range|ref interval|ref. interval|normal range|normal ranges|reference|bio ref interval|bio. ref. interval|bio. ref. int|bio ref range|bio. ref. range|biological reference interval|biological reference intervals|biological reference range|biological ref interval|biological ref range|biological ref. interval|biological ref. range|standard range|normal values|normal value|reference value|reference values|ref value|ref. value|ref values|valores de referencia|valor de referencia|intervalo de referencia|intervalos de referencia|rango de referencia|rangos de referencia|intervalo biologico de referencia|rango|referencia|referencias|val. referencia|val. ref|valores normales|valeurs de reference|valeur de reference|valeurs usuelles|intervalle de reference|intervalles de reference|normes|norme|valeurs normales|referenzbereich|referenzbereiche|referenzwert|referenzwerte|referenzintervall|normbereich|normwert|normwerte|ref. bereich|ref.bereich|ref.-bereich|intervalli di riferimento|intervallo di riferimento|valori di riferimento|valori riferimento|val. di riferimento|riferimento|referentiewaarden|referentiewaarde|referentie interval|referentie|referentiegebied|referentiebereik|ref|ref.|expected values|expected value|range|ranges|limits|normal|healthy range|optimal range|desired range|target range|reference limits|interval',
  flag: 'flag|flags|abn|abnormal|h/l|alert|abnormal flag|indicador|alarma|kennzeichen|bewertung|indicator|flagge|marca|*',
  previous:
    'previous|previous result|previous results|prior|prior result|prior results|last result|last|historical|history|historico|anterior|anteriores|resultado anterior|resultados anteriores|resultat anterieur|anterieur|anteriorite|anteriorites|antecedents|vorwert|vorwerte|vorbefund|vorbefunde|precedente|precedenti|risultato precedente|vorige|vorige uitslag|previous value|previous date|previous result and date|past result|trend|graph',
  other:
    'lab|site|performing lab|performing site|code|laboratory|sample|specimen|specimen type|sample type|date|status|time|collected|method|methodology|technique|technology|metodo|tecnica|methode|methodik|verfahren|metodica|remarks|comments|comment|notes|note|s no|sr no|sl no|s.no|sr.no|sl.no|no|loinc|verified|muestra|material|interpretation|interpretacion|date collected|reported',
}

const roleOfWords = new Map<string, ColumnRole>()
for (const [role, words] of Object.entries(columnWords))
  for (const phrase of words.split('|')) roleOfWords.set(phrase, role as ColumnRole)

/** What a column with this title holds; undefined for what is no title of a column. */
export function findColumnRole(title: string): ColumnRole | undefined {
  const plain = plainText(title.replace(/\(.*?\)/g, ' ').replace(/[:\-–]/g, ' '))
  return roleOfWords.get(plain) ?? roleOfWords.get(plain.replace(/ (?:%|abs|absolute|& units|units)$/, ''))
}

const analyteWords =
  /glucose|glucosa|glicose|glukose|glucemia|glicemia|cholest|colest|triglyc|triglic|hdl|ldl|vldl|h(?:a)?emoglob|hämoglob|emoglob|hemoglob|hematocr|haematocr|ematocr|hämatokr|\bwbc\b|\brbc\b|\bhgb\b|\bhct\b|\bhb\b|\bmcv\b|\bmch\b|\bmchc\b|\brdw|\bplt\b|\bmpv\b|plate?let|plaquet|piastrin|thrombo|trombo|trombocit|neut|lymph|linf|mono|eosin|basop|basof|leuc|leuk|erythro|eritro|eryth|globul|albumin|protein|proteina|creatin|kreatin|urea|\bbun\b|urate|uric|urico|harnsäure|sodium|sodio|natrium|potass|kalium|chlor|clor|calcium|calcio|kalzium|phosph|fosf|magnes|iron|\bferr|hierro|eisen|ferro|bilirub|\bast\b|\balt\b|\bggt\b|\bgot\b|\bgpt\b|sgot|sgpt|alp\b|amylase|lipase|\bldh\b|\bck\b|tsh|\bt3\b|\bt4\b|\bft[34]|thyr|tiro|vitamin|folat|folic|b12|cobalam|crp|pcr\b|\besr\b|\bvsg\b|\bvhs\b|\bpsa\b|hba1c|a1c|egfr|\bgfr\b|insulin|cortisol|testost|estrad|progest|prolact|\bfsh\b|\blh\b|hcg|hiv|hbs|hcv|vdrl|rpr|antibod|antigen|\binr\b|prothromb|aptt|fibrin|d-dimer|tropon|ketone|nitrite|specific gravity|\bph\b|leukocyte|epithelial|cast|crystal|bacteria|urobil|blood group|rh |co2|bicarb|anion|zinc|copper|transferr|tibc|homocyst|lipopro|apolipo|c-peptide|count|ratio|colour|color\b|appearance|density|sediment|hormone|enzyme|acid\b|iga|igg|igm|ige|afp|cea|ca ?-?\d|culture/i

/** How much a text looks like the name of an analyte, from 0 to 1. */
export function scoreAnalyteName(text: string): number {
  return analyteWords.test(text) ? 0.8 : 0.1
}
