import type { Word } from '../pages/page.ts'
import { textOf } from '../rows/cell-words.ts'
import { findColumnRole, plainText, scoreUnit } from '../rows/content.ts'
import { findDate, isAlmostDate } from '../values/dates.ts'
import type { GridColumn } from './grid.ts'

/** What a column holds, beyond what every table has. */
export type TitleRole =
  | 'name'
  | 'value'
  | 'confirmed'
  | 'cutoff'
  | 'class'
  | 'dated'
  | 'unit'
  | 'range'
  | 'flag'
  | 'previous'
  | 'gene'
  | 'variant'
  | 'genotype'
  | 'zygosity'
  | 'other'

export interface TitledColumn extends GridColumn {
  role: TitleRole | undefined
}

// Words of titles, in the languages that are read, as `plainText` has them; the first that fits
// decides.
const TITLES: readonly (readonly [TitleRole, RegExp])[] = [
  [
    'cutoff',
    /\b(?:cut ?offs?|threshold|seuil|punto de corte|valor de corte|soglia|schwellenwert)\b/,
  ],
  ['cutoff', /^(?:lod|loq|detection limit|limit of detection|reporting limit)$/],
  [
    'class',
    /^(?:(?:rast|cap|ige|east|immunocap|specific ige|allergy|allergen) )*(?:class|klasse|classe|clase|kl\.?)(?: ige| rast| cap)?$/,
  ],
  [
    'confirmed',
    /\b(?:confirm\w*|quant\w*|gc ?\/? ?ms(?: ms)?|lc ?\/? ?ms(?: ms)?|bestatig\w*|conferma)\b/,
  ],
  ['gene', /^(?:genes?|gen|gene symbol|locus|gene name|gen symbol)$/],
  [
    'variant',
    /^(?:variants?|mutations?|snps?|rs ?(?:id|number|#)?|dbsnp(?: id)?|polymorphisms?|nucleotide change|hgvs|cdna change|markers?|variante?s?|mutacion(?:es)?|mutazione|polimorfismos?|polymorphismus|alleles? tested|dna change)$/,
  ],
  [
    'genotype',
    /^(?:genotypes?|genotipos?|genotyp|diplotypes?|diplotipo|allele call|alleles?|genotype result|your genotype)$/,
  ],
  ['zygosity', /^(?:zygosity|cigosidad|zigosidad|zygosite|zygotie|zigosita|zigosidade)$/],
  [
    'value',
    /^(?:(?:(?:screen(?:ing)?|initial|immunoassay|test|ige|specific ige|patient) )?(?:results?|values?|outcome|finding)|screen(?:ing)?|concentration|konzentration|concentracion|level|(?:specific |spezifisches )?ige(?: concentration| level)?)$/,
  ],
  [
    'name',
    /^(?:drugs?|drug class|drug name|drug test|drug\/metabolite|substances?|compounds?|allergens?|allergene|alergenos?|allergenes?|sostanza|substanz|sustancia|allergen name|allergen\/component)$/,
  ],
]

/** What the title of a column says it holds; undefined where it says nothing that is known. */
export function findTitleRole(title: string): TitleRole | undefined {
  const bare = plainText(title.replace(/\(.*?\)|\[.*?\]/g, ' ').replace(/[:\-–]/g, ' '))
  const text = withoutUnits(bare)
  const known = TITLES.find(([, words]) => words.test(text))
  if (known) return known[0]
  if (findDate(title)) {
    if (isPrevious(title)) return 'previous'
    return saysMoreThanDate(title) ? undefined : 'dated'
  }
  // What it says is open, and so is which column is the newest.
  if (isAlmostDate(title)) return 'dated'
  if (text === '' && scoreUnit(title.replace(/[()[\]]/g, '')) >= 0.8) return 'value'
  return findColumnRole(title) ?? findColumnRole(text)
}

/** `Anterior (12/10/2023)`. */
function isPrevious(title: string): boolean {
  const words = title.replace(/[\d/.:()-]+/g, ' ').trim()
  return findColumnRole(words) === 'previous' || /\b(?:previous|prior|last)\b/i.test(words)
}

/** `DOB 12/03/1980` is a fact of the head of a report, and no title. */
function saysMoreThanDate(title: string): boolean {
  const words = title.split(' ').filter((word) => /\p{L}{2}/u.test(word) && !/\d/.test(word))
  const rest = words.filter((word) => findDate(`1 ${word} 2020`) === undefined)
  return (
    rest.length > 0 &&
    !/^(?:h|hrs?|uhr|am|pm)$/i.test(rest.join(' ')) &&
    findColumnRole(rest.join(' ')) !== 'value'
  )
}

/** `result ku/l` is a result. */
function withoutUnits(text: string): string {
  const words = text.split(' ')
  while (words.length > 0 && scoreUnit(words.at(-1) ?? '') >= 0.85) words.pop()
  return words.join(' ')
}

export function nameColumns(columns: readonly GridColumn[]): TitledColumn[] {
  return columns
    .flatMap(divideColumn)
    .map((column) => ({ ...column, role: findTitleRole(column.title) }))
}

/** Two titles that were printed close together are two: `Reference Range 16-Sep-2022`. */
function divideColumn(column: GridColumn): GridColumn[] {
  const { words, title } = column
  const isDated = findDate(title) !== undefined
  for (let at = 1; at < words.length; at++) {
    const parts = [words.slice(0, at), words.slice(at)]
    const [left, right] = parts.map((part) => findTitleRole(textOf(part)))
    const [before, after] = [words[at - 1] as Word, words[at] as Word]
    // Stacked words go back to the left.
    if (after.box.x < before.box.x + before.box.width || left === undefined) continue
    const isUnknown = findTitleRole(title) === undefined
    const isEnd = /\)$|^(?:results?|value|outcome)$/i.test(before.text)
    const isDivided =
      findDate(textOf(words.slice(at))) !== undefined ||
      isAlmostDate(after.text) ||
      (right !== undefined && DIVIDED.has(right))
    const isApart = isDated
      ? DIVIDED.has(left) && isDivided
      : right !== undefined && (isUnknown || isEnd)
    if (isApart) return [toColumn(words.slice(0, at)), ...divideColumn(toColumn(words.slice(at)))]
  }
  return [column]
}

const DIVIDED: ReadonlySet<TitleRole> = new Set(['unit', 'range', 'flag', 'dated'])

function toColumn(words: Word[]): GridColumn {
  const [first, last] = [words[0] as Word, words.at(-1) as Word]
  return { title: textOf(words), words, left: first.box.x, right: last.box.x + last.box.width }
}

/** The words of a title that are the unit of its column. */
export function findTitleUnit({ words }: GridColumn) {
  const unit = words.filter((word) => /\/|%/.test(word.text) && scoreUnit(bare(word.text)) >= 0.8)
  return unit.length === 1 ? unit : null
}

const bare = (text: string): string => text.replace(/^[[(,]+|[\])]+$/g, '')
