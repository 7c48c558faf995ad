import { parseLabReport } from '../src/parse.ts'
import type { ParseOutcome } from '../src/report.ts'
import { addScore, createScore, type Difference, type Score } from './score.ts'
import { scoreDocument } from './score-document.ts'
import type { JudgedDocument } from './truth.ts'

/** Outcome of one document. */
export interface EvaluatedDocument {
  file: string
  /**
   * `parsed`, a reason of the contract, `wrongly parsed` (not a laboratory report), or `threw`.
   */
  outcome: string
  printedRows: number
  readRows: number
  pages: number
  seconds: number
  score: Score
  differences: Difference[]
}

/** Parses the documents one after the other, and scores them. */
export async function* evaluateDocuments(
  documents: Iterable<JudgedDocument> | AsyncIterable<JudgedDocument>,
): AsyncGenerator<EvaluatedDocument> {
  for await (const document of documents) {
    const startedAt = performance.now()
    let thrown: string | null = null
    const outcome = await parseLabReport([document.bytes]).catch((error: Error): ParseOutcome => {
      thrown = error.stack ?? error.message
      return { status: 'failed', reason: 'processing_error', detail: error.message }
    })
    const seconds = (performance.now() - startedAt) / 1000
    const { score, differences } = scoreDocument(document, outcome)
    if (thrown !== null)
      differences.push({ kind: 'outcome', name: 'threw', printed: null, read: thrown })
    const isParsed = outcome.status === 'parsed'
    const isWrong = isParsed && document.rows.length === 0
    yield {
      file: document.file,
      outcome: thrown ? 'threw' : isWrong ? 'wrongly parsed' : isParsed ? 'parsed' : outcome.reason,
      printedRows: document.rows.length,
      readRows: isParsed ? outcome.report.results.length : 0,
      pages: isParsed ? outcome.report.pages.length : 1,
      seconds,
      score,
      differences,
    }
  }
}

export function sumScores(documents: readonly EvaluatedDocument[]): Score {
  const total = createScore()
  for (const { score } of documents) addScore(total, score)
  return total
}
