import { readFileSync } from 'node:fs'
import { keyOfWords, keyWithoutSpaces, splitWords } from './analyte-words.ts'

/** An analyte that has a name in people's mouths. */
export interface Analyte {
  /** What people call it. */
  name: string
  /** Components of LOINC, some with `@system`, and codes after `#`: data/loinc/analyte-aliases.txt. */
  places: string[]
  /** Other names, the English ones first. */
  aliases: string[]
}

/** Finds analytes by what a report calls them. */
export interface AnalyteIndex {
  analytes: readonly Analyte[]
  /** The analytes of exactly this name, whatever the order of its words and where its spaces stand. */
  find(words: readonly string[]): readonly Analyte[]
  /** Words that names of analytes are made of. */
  words: ReadonlySet<string>
}

let index: AnalyteIndex | undefined

/** The curated names, read from the file when they are first asked for. */
export function getAnalyteIndex(): AnalyteIndex {
  index ??= createAnalyteIndex(readAnalytes())
  return index
}

function readAnalytes(): Analyte[] {
  const file = new URL('../../data/loinc/analyte-aliases.txt', import.meta.url)
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
  return lines.map((line) => {
    const [name = '', places = '', aliases = ''] = line.split('|')
    return { name: name.trim(), places: splitList(places), aliases: splitList(aliases) }
  })
}

function splitList(text: string): string[] {
  return text
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean)
}

function createAnalyteIndex(analytes: Analyte[]): AnalyteIndex {
  const byKey = new Map<string, Analyte[]>()
  const words = new Set<string>()
  for (const analyte of analytes) {
    const keys = new Set<string>()
    for (const name of [analyte.name, ...analyte.aliases]) {
      const nameWords = splitWords(name)
      for (const word of nameWords) words.add(word)
      keys.add(keyOfWords(nameWords)).add(keyWithoutSpaces(nameWords))
    }
    for (const key of keys) {
      const known = byKey.get(key)
      if (known) known.push(analyte)
      else byKey.set(key, [analyte])
    }
  }
  return {
    analytes,
    words,
    find: (nameWords) =>
      byKey.get(keyOfWords(nameWords)) ?? byKey.get(keyWithoutSpaces(nameWords)) ?? [],
  }
}
