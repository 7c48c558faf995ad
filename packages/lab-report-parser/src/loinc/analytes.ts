import { readFileSync } from 'node:fs'
import { keyOfWords, keyWithoutSpaces, splitWords } from './analyte-words.ts'
import { getLoincTable, type LoincRow } from './loinc-table.ts'

/** An analyte that has a name in people's mouths. */
export interface Analyte {
  /** What people call it. */
  name: string
  /** Other names, the English ones first. */
  aliases: string[]
  /** Codes that it can be, the ones to prefer first. */
  rows: readonly LoincRow[]
  /** False where only LOINC names it. */
  isCurated: boolean
  /** How many of the first codes were chosen by hand. */
  chosen: number
}

/** Finds analytes by what a report calls them. */
export interface AnalyteIndex {
  analytes: readonly Analyte[]
  /**
   * The analytes of exactly this name, whatever the order of its words and where its spaces stand.
   */
  find(words: readonly string[]): readonly Analyte[]
  /** Names that have one of these words, with their words. */
  listSharing(words: ReadonlySet<string>): Iterable<{ analyte: Analyte; words: readonly string[] }>
  /** Words that names of analytes are made of. */
  words: ReadonlySet<string>
}

let index: AnalyteIndex | undefined

/**
 * The curated names, and LOINC's own for what has none; read from the files when they are first
 * asked for.
 */
export function getAnalyteIndex(): AnalyteIndex {
  if (!index) {
    const curated = readAnalytes()
    index = createAnalyteIndex([...curated, ...listOtherComponents(curated)])
  }
  return index
}

function readAnalytes(): Analyte[] {
  const file = new URL('../../data/loinc/analyte-aliases.txt', import.meta.url)
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
  return lines.map((line) => {
    const [name = '', codes = '', aliases = ''] = line.split('|')
    return {
      name: name.trim(),
      aliases: splitList(aliases),
      rows: listRows(splitList(codes)),
      isCurated: true,
      chosen: splitList(codes).filter((selector) => selector.startsWith('#')).length,
    }
  })
}

function splitList(text: string): string[] {
  return text
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean)
}

/**
 * The codes that components and codes name: what is named first comes first, then what is general
 * and ordered often.
 */
function listRows(selectors: string[]): LoincRow[] {
  const table = getLoincTable()
  const rows = new Set<LoincRow>()
  for (const selector of selectors) {
    if (selector.startsWith('#')) {
      const row = table.findCode(selector.slice(1))
      if (row) rows.add(row)
      continue
    }
    const [component = '', system] = selector.split('@')
    const found = table
      .findComponent(component)
      .filter((row) => system === undefined || row.system === system)
    for (const row of sortRows(found)) rows.add(row)
  }
  return [...rows]
}

/** What is ordered often first, and of the same measurement what says no method. */
function sortRows(rows: readonly LoincRow[]): LoincRow[] {
  const measurements = Map.groupBy(rows, (row) => `${row.quantity} ${row.system}`)
  const rankOf = (group: LoincRow[]) => Math.min(...group.map((row) => row.rank))
  return [...measurements.values()]
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .flatMap((group) =>
      group.toSorted(
        (a, b) => Number(a.method !== '') - Number(b.method !== '') || a.rank - b.rank,
      ),
    )
}

/** What only LOINC names: an analyte for each component that no curated one has. */
function listOtherComponents(curated: Analyte[]): Analyte[] {
  const named = new Set(curated.flatMap(({ rows }) => rows.map((row) => row.component)))
  const others = Map.groupBy(
    getLoincTable().rows.filter(
      (row) =>
        !named.has(row.component) && !row.component.includes('^') && row.quantity !== 'named',
    ),
    (row) => row.component,
  )
  return [...others].map(([component, rows]) => ({
    name: component,
    aliases: [...new Set(rows.map((row) => row.name.replace(/ ?(\[| in | of | by ).*$/, '')))],
    rows: sortRows(rows),
    isCurated: false,
    chosen: 0,
  }))
}

function createAnalyteIndex(analytes: Analyte[]): AnalyteIndex {
  const byKey = new Map<string, Analyte[]>()
  const byWord = new Map<string, { analyte: Analyte; words: string[] }[]>()
  for (const analyte of analytes) {
    const keys = new Set<string>()
    for (const name of [analyte.name, ...analyte.aliases]) {
      const words = splitWords(name)
      keys.add(keyOfWords(words)).add(keyWithoutSpaces(words))
      for (const word of new Set(words)) addTo(byWord, word, { analyte, words })
    }
    for (const key of keys) addTo(byKey, key, analyte)
  }
  return {
    analytes,
    words: new Set(byWord.keys()),
    find: (words) => byKey.get(keyOfWords(words)) ?? byKey.get(keyWithoutSpaces(words)) ?? [],
    *listSharing(words) {
      for (const word of words) yield* byWord.get(word) ?? []
    },
  }
}

function addTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}
