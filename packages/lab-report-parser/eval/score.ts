/** How often something is printed, was read, and was read right. */
export interface Count {
  printed: number
  read: number
  right: number
}

export const FIELDS = ['name+value', 'unit', 'range', 'flag', 'interpretation'] as const
export type ScoredField = (typeof FIELDS)[number]

/** What one document, or all together, scored. */
export interface Score {
  fields: Record<ScoredField, Count>
  loinc: {
    /** Rows whose code is certain, that were found. */
    judged: number
    autoMatched: number
    autoRight: number
    inFirst: number
    inFive: number
  }
  header: { printed: number; right: number }
  /** Of results that the parser calls sure, and of those that it does not. */
  certainty: Certainty
}

export interface Certainty {
  read: number
  sure: number
  /** Sure, and a value that is not printed, or that of another row. */
  sureWrongValue: number
  /**
   * Sure, with the right value and a wrong unit, wrong bounds, a wrong interpretation or a wrong
   * code.
   */
  sureWrongMeaning: number
  /** Not sure, and all right: a look at the page for nothing. */
  doubtfulRight: number
  /**
   * Documents that wait for a reviewer, and those of them in which all was read, and read right.
   */
  reviewed: number
  reviewedForNothing: number
}

/** One thing that was read otherwise than it is printed. */
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

/** Precision, recall and F1; 1 where nothing is printed and nothing was read. */
export function rate({ printed, read, right }: Count) {
  const precision = read === 0 ? (printed === 0 ? 1 : 0) : right / read
  const recall = printed === 0 ? (read === 0 ? 1 : 0) : right / printed
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  return { precision, recall, f1 }
}
