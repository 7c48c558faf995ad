import { WorkSlice } from '@salus/kernel/time-slices'
import { SaxesParser } from 'saxes'
import { CatalogProblems } from '../../../catalog/index.ts'
import type { NoteType } from '../diagnoses.schema.ts'
import { type CodeRange, listCodes, type NotedCodes, readNoteCodes } from './note-codes.ts'

/** A note at a chapter, a block, a heading or a code. */
export interface DiagnosisNote {
  type: NoteType
  /** The codes to which the note applies. */
  at: CodeRange
  /** The excluded codes; null for code_first. */
  excluded: NotedCodes | null
}

export interface Tabular {
  notes: DiagnosisNote[]
  /** Number of notes with a condition in prose. */
  unread: number
}

/** Characters to parse before other tasks may run. */
const PIECE = 64 * 1024
const NODES: ReadonlySet<string> = new Set(['chapter', 'section', 'diag'])
const NOTE_TYPES: Readonly<Record<string, NoteType>> = {
  excludes1: 'excludes1',
  excludes2: 'excludes2',
  codeFirst: 'code_first',
}
/** A disease that must be coded first, unlike one that is coded first `if applicable`. */
const MANDATORY = /^(?!.*\b(?:any|if (?:applicable|known|present))\b).*\bunderlying\b/i

/** Reads the notes of the tabular list of ICD-10-CM, the XML that CDC publishes each year. */
export async function readTabular(
  xml: string,
): Promise<{ tabular: Tabular; problems: CatalogProblems }> {
  const problems = new CatalogProblems()
  const reader = new TabularReader()
  const slice = new WorkSlice()
  try {
    for (let at = 0; at < xml.length; at += PIECE) {
      reader.parser.write(xml.slice(at, at + PIECE))
      if (slice.isOver()) await slice.rest()
    }
    reader.parser.close()
  } catch {
    problems.add(`tabular_xml line ${reader.parser.line}`, 'The text is not XML.')
  }
  const { tabular } = reader
  if (problems.count === 0 && tabular.notes.length === 0) {
    problems.add('tabular_xml', 'The text has no notes of a tabular list.')
  }
  return { tabular, problems }
}

/** Tracks its position in the tree of chapters, blocks and codes, and collects notes. */
class TabularReader {
  readonly parser = new SaxesParser()
  readonly tabular: Tabular = { notes: [], unread: 0 }
  /**
   * The enclosing chapter, block, heading and code, outermost first; undefined until the name was
   * read.
   */
  readonly #nodes: (CodeRange | undefined)[] = []
  readonly #elements: string[] = []
  #text = ''

  constructor() {
    this.parser.on('error', (error) => {
      throw error
    })
    this.parser.on('opentag', ({ name, attributes }) => {
      this.#elements.push(name)
      this.#text = ''
      if (NODES.has(name)) this.#nodes.push(rangeOf(attributes.id))
    })
    this.parser.on('text', (text) => {
      this.#text += text
    })
    this.parser.on('closetag', ({ name }) => {
      this.#elements.pop()
      if (NODES.has(name)) this.#nodes.pop()
      else this.#close(name, this.#elements.at(-1) ?? '')
    })
  }

  #close(name: string, parent: string): void {
    // A chapter has its codes in its title: Certain infectious and parasitic diseases (A00-B99)
    const isName =
      (name === 'name' && parent === 'diag') || (name === 'desc' && parent === 'chapter')
    if (isName) this.#nodes[this.#nodes.length - 1] = rangeOf(/[^(]*$/.exec(this.#text)?.[0])
    const type = NOTE_TYPES[parent]
    const at = this.#nodes.at(-1)
    if (name === 'note' && type !== undefined && at !== undefined) this.#add(type, at)
  }

  #add(type: NoteType, at: CodeRange): void {
    const { notes } = this.tabular
    if (type === 'code_first') {
      if (MANDATORY.test(this.#text)) notes.push({ type, at, excluded: null })
      return
    }
    const codes = readNoteCodes(this.#text)
    if (codes === undefined) this.tabular.unread++
    for (const excluded of codes ?? []) notes.push({ type, at, excluded })
  }
}

function rangeOf(text: unknown): CodeRange | undefined {
  const [range] = typeof text === 'string' ? listCodes(text) : []
  return range && { first: range.first, last: range.last }
}
