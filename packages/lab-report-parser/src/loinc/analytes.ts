import { readFileSync } from 'node:fs'
import { keyOfWords, keyWithoutSpaces, splitWords } from './analyte-words.ts'
import { getLoincTable, type LoincRow } from './loinc-table.ts'

/** An analyte with its common names. */
export interface Analyte {
  /** Usual name. */
  name: string
  /** Other names, the English ones first. */
  aliases: string[]
  /** Codes that it can be, the preferred ones first. */
  rows: readonly LoincRow[]
  /** False if only LOINC names it. */
  isCurated: boolean
  /** Number of first codes that were chosen by hand. */
  chosen: number
}

/** Finds analytes by their names in reports. */
export interface AnalyteIndex {
  analytes: readonly Analyte[]
  /** Returns the analytes of exactly this name, independent of word order and spaces. */
  find(words: readonly string[]): readonly Analyte[]
  /** Returns names that share one of these words, with their words. */
  listSharing(words: ReadonlySet<string>): Iterable<{ analyte: Analyte; words: readonly string[] }>
  /** Words of which names of analytes consist. */
  words: ReadonlySet<string>
}

let index: AnalyteIndex | undefined

/**
 * Returns the curated names, and LOINC's own for other components; the files are read on the first
 * call.
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
 * Returns the codes of components and codes in their order, then general and frequently ordered
 * ones.
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

/** Sorts by frequency of orders, and codes of the same measurement by generality of the method. */
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

/** Returns an analyte for each component that no curated one has. */
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
