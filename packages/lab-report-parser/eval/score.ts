/** How often a field is printed, was read, and was read correctly. */
export interface Count {
  printed: number
  read: number
  right: number
}

export const FIELDS = ['name+value', 'unit', 'range', 'flag', 'interpretation'] as const
export type ScoredField = (typeof FIELDS)[number]

/** Score of one document, or of all together. */
export interface Score {
  fields: Record<ScoredField, Count>
  loinc: {
    /** Found rows whose code is certain. */
    judged: number
    autoMatched: number
    autoRight: number
    inFirst: number
    inFive: number
  }
  header: { printed: number; right: number }
  /** Counts of the results that the parser calls sure, and of the others. */
  certainty: Certainty
}

export interface Certainty {
  read: number
  sure: number
  /** Sure, with a value that is not printed, or that belongs to another row. */
  sureWrongValue: number
  /**
   * Sure, with the right value and a wrong unit, wrong bounds, a wrong interpretation or a wrong
   * code.
   */
  sureWrongMeaning: number
  /** Not sure, although everything is correct: they were reviewed in vain. */
  doubtfulRight: number
  /**
   * Documents that wait for a reviewer, and those of them in which everything was read correctly.
   */
  reviewed: number
  reviewedForNothing: number
}

/** A reading that differs from the print. */
export interface Difference {
  kind:
    | ScoredField
    | 'missing row'
    | 'extra row'
    | 'loinc'
    | 'header'
    | 'outcome'
    | 'sure and wrong'
    | 'doubtful and right'
  name: string
  printed: string | null
  read: string | null
}

export function createScore(): Score {
  const count = (): Count => ({ printed: 0, read: 0, right: 0 })
  return {
    fields: {
      'name+value': count(),
      unit: count(),
      range: count(),
      flag: count(),
      interpretation: count(),
    },
    loinc: { judged: 0, autoMatched: 0, autoRight: 0, inFirst: 0, inFive: 0 },
    header: { printed: 0, right: 0 },
    certainty: {
      read: 0,
      sure: 0,
      sureWrongValue: 0,
      sureWrongMeaning: 0,
      doubtfulRight: 0,
      reviewed: 0,
      reviewedForNothing: 0,
    },
  }
}

export function addScore(total: Score, score: Score): void {
  for (const field of FIELDS) {
    for (const key of ['printed', 'read', 'right'] as const) {
      total.fields[field][key] += score.fields[field][key]
    }
  }
  for (const key of ['judged', 'autoMatched', 'autoRight', 'inFirst', 'inFive'] as const) {
    total.loinc[key] += score.loinc[key]
  }
  for (const key of Object.keys(total.certainty) as (keyof Certainty)[]) {
    total.certainty[key] += score.certainty[key]
  }
  total.header.printed += score.header.printed
  total.header.right += score.header.right
}

/** Returns precision, recall and F1; 1 if nothing is printed and nothing was read. */
export function rate({ printed, read, right }: Count) {
  const precision = read === 0 ? (printed === 0 ? 1 : 0) : right / read
  const recall = printed === 0 ? (read === 0 ? 1 : 0) : right / printed
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  return { precision, recall, f1 }
}
