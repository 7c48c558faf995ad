import type { PageText } from '../pages/page.ts'
import { SUPPORTED_LANGUAGES, toPlainWords, WORDS } from './words.ts'

export interface DetectedLanguage {
  /** ISO 639-1. */
  code: string
  /** Whether the words of its columns and labels are known. */
  isSupported: boolean
  /**
   * Whether it is written in Latin letters, so that rows may be readable without knowing its words.
   */
  isLatin: boolean
}

/**
 * Frequent short words and words of laboratories, as plain words; words that several languages
 * share weigh less.
 */
const FREQUENT_WORDS: Readonly<Record<string, string>> = {
  en: 'the of and to in is for with by on at this that from was are be not may patient page name date report result results reference range test units collected received specimen flag normal high low blood urine serum final status please see performed laboratory age sex',
  es: 'el la los las de del y en es por con para una un al se no que su fecha paciente pagina nombre resultado resultados referencia valores unidades sangre orina suero muestra medico edad sexo analitica informe solicitud validado',
  fr: 'le la les des du de et en est par pour avec une un au aux sur dans ne pas que date page nom resultats valeurs reference sang urines serum medecin ne age sexe prelevement examen laboratoire dossier',
  de: 'der die das und ist von mit fur im am zu den ein eine nicht bei auf aus nach datum seite name ergebnis einheit blut urin serum arzt geschlecht geboren probe befund wert werte labor referenzbereich bitte',
  it: 'il lo la i gli le di del della e in per con un una non che da al dei data pagina nome risultato esame esami valori riferimento unita sangue urine siero medico eta sesso referto prelievo',
  pt: 'o a os as de do da dos das e em por com para um uma nao que ao data pagina nome resultado resultados referencia valores sangue urina soro medico idade sexo exame exames coleta metodo material laudo',
  nl: 'de het een van en is in op voor met te niet bij uit aan door datum pagina naam uitslag eenheid bloed urine serum arts geslacht geboortedatum bepaling referentiewaarden laboratorium',
  sv: 'och att det som en ett for med av till inte den pa ar fran provtagning provsvar resultat enhet referensintervall remiss analys svar datum sida kon fodd blod patient',
  da: 'og at det som en et for med af til ikke den pa er fra prove provetagning resultat enhed referenceinterval svar dato side kon fodt blod rekvirent undersogelse',
  no: 'og at det som en et for med av til ikke den pa er fra prove provetaking resultat enhet referanseomrade svar dato side kjonn fodt blod rekvirent undersokelse',
  fi: 'ja on ei se etta tutkimus tulos yksikko viitearvo viitearvot potilas nayte paivamaara sivu veri virtsa sukupuoli laakari',
  pl: 'i w na z do nie jest od po oraz badanie badania wynik wyniki jednostka zakres referencyjny wartosci data strona pacjent krew mocz surowica pobrania plec lekarz morfologia',
  cs: 'a v na z do ne je od po vysetreni vysledek vysledky jednotka jednotky referencni meze hodnota datum strana pacient krev moc odber pohlavi lekar',
  sk: 'a v na z do nie je od po vysetrenie vysledok vysledky jednotka jednotky referencne hodnota datum strana pacient krv moc odber pohlavie lekar',
  ro: 'si de la in cu pe nu este din pentru un o analize rezultat rezultate interval biologic referinta um buletin data pagina pacient sange urina ser recoltare sex medic',
  hu: 'es a az nem egy vizsgalat eredmeny eredmenyek mertekegyseg referencia tartomany datum oldal beteg ver vizelet szerum mintavetel neme orvos lelet',
  tr: 've bir bu ile icin test sonuc sonuclar birim referans araligi tarih sayfa hasta kan idrar serum numune cinsiyet doktor tetkik rapor ad soyad',
  hr: 'i u na za je ne od po nalaz pretraga rezultat rezultati jedinica referentni interval datum stranica pacijent krv urin uzorak spol lijecnik',
  id: 'dan di yang dengan untuk hasil pemeriksaan satuan nilai rujukan tanggal halaman nama pasien darah urin umur jenis kelamin dokter laboratorium',
  vi: 'va cua la cho xet nghiem ket qua don vi tham chieu ngay trang ho ten benh nhan mau tuoi gioi tinh bac si',
}

/** Writing systems, and the language that most likely is written in each. */
const SCRIPTS: readonly [code: string, letters: RegExp][] = [
  ['ru', /\p{Script=Cyrillic}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
]

let weights: Map<string, [code: string, weight: number][]> | undefined

/** Returns the languages of each word; words of all languages have no weight. */
function getWeights(): Map<string, [code: string, weight: number][]> {
  if (weights) return weights
  const languagesOf = new Map<string, Set<string>>()
  const add = (word: string, code: string) => {
    languagesOf.set(word, (languagesOf.get(word) ?? new Set()).add(code))
  }
  for (const [code, words] of Object.entries(FREQUENT_WORDS)) {
    for (const word of words.split(' ')) add(word, code)
  }
  for (const code of SUPPORTED_LANGUAGES) {
    const { columns, header, sections } = WORDS[code]
    const phrases = [...Object.values(columns).flat(), ...Object.values(header).flat(), ...sections]
    for (const word of phrases.flatMap((phrase) => phrase.split(/[^\p{L}]+/u))) {
      if (word.length > 3) add(word, code)
    }
  }
  weights = new Map(
    [...languagesOf].map(([word, codes]) => [
      word,
      [...codes].map((code) => [code, 1 / codes.size]),
    ]),
  )
  return weights
}

/**
 * Returns the language of a report, by its script and its words; English if there is little
 * evidence.
 */
export function detectLanguage(pages: readonly PageText[]): DetectedLanguage {
  const text = pages.flatMap((page) => page.words.map((word) => word.text)).join(' ')
  const script = findScript(text)
  if (script !== undefined) return { code: script, isSupported: false, isLatin: false }
  const known = getWeights()
  const scores = new Map<string, number>()
  for (const word of toPlainWords(text).split(/[^\p{L}]+/u)) {
    for (const [code, weight] of known.get(word) ?? []) {
      scores.set(code, (scores.get(code) ?? 0) + weight)
    }
  }
  const [best] = [...scores].sort(([, a], [, b]) => b - a)
  const english = scores.get('en') ?? 0
  const code = best && best[1] >= 3 && best[1] > english * 1.15 ? best[0] : 'en'
  return { code, isSupported: SUPPORTED_LANGUAGES.some((each) => each === code), isLatin: true }
}

/** Returns the writing system of most letters if it is not the Latin one. */
function findScript(text: string): string | undefined {
  const count = (letters: RegExp) => text.match(letters)?.length ?? 0
  const latin = count(/\p{Script=Latin}/gu)
  const counts = SCRIPTS.map(([code, letters]): [string, number] => [code, count(letters)])
  const others = counts.reduce((sum, [, letters]) => sum + letters, 0)
  // Units and names of analytes are Latin in every language, and Greek letters are in units.
  if (others < 20 || others < latin * 0.6) return undefined
  const kana = counts.find(([code]) => code === 'ja')?.[1] ?? 0
  if (kana > 5) return 'ja'
  return counts.sort(([, a], [, b]) => b - a)[0]?.[0]
}
